// @module-tag system
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmdirSync } from "node:fs"
import { copyFile, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { createSigningKeys } from "../../../cli/keys/create-signing-keys.ts"
import { parsePrivateKey, parsePublicKey, signBytes } from "../../../proxy/contract/signature.ts"
import { createKeyCache } from "../../../proxy/keys/key-cache.ts"
import { readKeySet } from "../../../proxy/keys/key-set.ts"
import { good } from "../../../proxy/reload/fault.ts"
import type { Trust } from "../../../proxy/reload/trust.ts"
import { webKeyFile } from "../../contracts/key-source.ts"
import { buildFiles, shop } from "../fixtures.ts"
import { openKeyAddress } from "../open-key-address.ts"
import type { TestOrigin } from "../origin.ts"
import { refusal } from "../set-reloader.ts"

// Signed keys, and what survives a restart.

function newPair() {
  const pair = createSigningKeys()
  const [privateKey, publicKey] = [parsePrivateKey(pair.privateKey), parsePublicKey(pair.publicKey)]
  if (privateKey.kind === "invalid" || publicKey.kind === "invalid") throw new Error("no keys")
  const sign = (text: string): string => signBytes(Buffer.from(text), privateKey.value)
  return { sign, publicKey: publicKey.value }
}

const { sign, publicKey } = newPair()
const foreign = newPair().sign
const trust: Trust = { publicKey, allowOlder: false }

/** Times of publication, in order. */
const [early, late, latest] = ["10", "11", "12"].map((hour) => `2026-11-21T${hour}:00:00.000Z`)
const [here, elsewhere] = ["https://flags.example/shop", "https://flags.example/toys"]

const keysOf = (publishedAt = early, target = here, text = webKeyFile): string =>
  `publishedAt: ${publishedAt}\n${target === "" ? "" : `target: ${target}\n`}${text}`

const put = ({ files }: TestOrigin, text: string, signatures: string | undefined = sign(text)): void => {
  files.set("keys.yaml", text)
  files.set("keys.yaml.sig", signatures)
}

const newFolder = () => mkdtemp(join(tmpdir(), "flagstone-keys-"))

describe("an address with --verify-key", () => {
  test.each([
    ["no signature", undefined],
    ["an empty one", ""],
    ["one of other bytes", sign(keysOf(late))],
    ["one by a different key", foreign(keysOf())],
    ["one that is not base64", "!".repeat(88)],
  ])("refuses keys with %s, at the start and later", async (_, signatures) => {
    const { origin, reloader } = await openKeyAddress({ trust, text: keysOf() })
    if (signatures !== undefined) origin.files.set("keys.yaml.sig", signatures)
    expect(await reloader.reloader.reload(true)).toEqual(refusal(/keys\.yaml/))
    put(origin, keysOf())
    expect(await reloader.read()).toMatchObject([{ id: "web" }])
    if (signatures === undefined) origin.files.delete("keys.yaml.sig")
    else origin.files.set("keys.yaml.sig", signatures)
    expect(await reloader.reloader.reload(true)).toEqual(refusal(/keys\.yaml/))
    expect(reloader.reloader.current).toMatchObject([{ id: "web" }])
  })

  test("finds a signature that arrives late, even if the key file stays the same", async () => {
    const { origin, reloader } = await openKeyAddress({ trust })
    put(origin, keysOf())
    await reloader.read()
    put(origin, keysOf(late, here, "keys: []\n"), sign(keysOf()))
    await reloader.look()
    expect(await reloader.look()).toEqual(refusal("not signed by the key of --verify-key"))
    origin.files.set("keys.yaml.sig", sign(keysOf(late, here, "keys: []\n")))
    reloader.later()
    expect(await reloader.look()).toEqual({ kind: "replaced" })
    expect(reloader.reloader.current).toEqual([])
  })

  test("does not go back to keys that were revoked since, unless it is told to", async () => {
    const { origin, reloader } = await openKeyAddress({ trust })
    put(origin, keysOf(late, here, "keys: []\n"))
    await reloader.read()
    put(origin, keysOf(early))
    expect(await reloader.reloader.reload(true)).toEqual(
      refusal(
        /, published at 2026-11-21T10:00:00\.000Z, is older than the one being served: publish the key file again, or start with/,
      ),
    )
    expect(reloader.reloader.current).toEqual([])
    put(origin, keysOf(latest))
    expect(await reloader.read()).toMatchObject([{ id: "web" }])
    const lenient = await openKeyAddress({ trust: { ...trust, allowOlder: true }, origin })
    await lenient.reloader.read()
    put(origin, keysOf(early))
    await lenient.reloader.read()
  })

  test("nor does a proxy that needs no signature, if the files say when they were published", async () => {
    const { origin, reloader } = await openKeyAddress()
    put(origin, keysOf(late, here, "keys: []\n"))
    await reloader.read()
    put(origin, keysOf(early))
    expect(await reloader.reloader.reload(true)).toEqual(refusal("is older than the one being served"))
    put(origin, webKeyFile)
    expect(await reloader.read()).toMatchObject([{ id: "web" }])
  })

  test("accepts no keys without their time of publication, even if they are signed", async () => {
    const { origin, reloader } = await openKeyAddress({ trust })
    put(origin, webKeyFile)
    expect(await reloader.reloader.reload(true)).toEqual(refusal("does not say when it was published"))
  })

  test("does not accept a signed manifest as a key file", async () => {
    const { origin, reloader } = await openKeyAddress({ trust })
    put(origin, buildFiles({ production: shop }).get("manifest.json") ?? "")
    expect(await reloader.reloader.reload(true)).toEqual(refusal(/is not valid: .*unknown field/))
  })

  test("parses nothing before its signature is verified", async () => {
    const bytes = Buffer.from("keys: [hunter2]\n")
    const readSignatures = async () => good(Buffer.from(foreign(bytes.toString())))
    const result = await readKeySet({ location: "x", bytes, readSignatures, trust }, undefined)
    expect(result).toMatchObject({ kind: "unavailable", message: expect.stringMatching("not signed") })
  })

  test.each([
    ["a different place", elsewhere],
    ["no place", ""],
  ])("refuses newer keys that were signed for %s, also after a restart", async (_, target) => {
    const cacheFolder = await newFolder()
    const { origin, reloader } = await openKeyAddress({ trust, cacheFolder })
    put(origin, keysOf(early))
    await reloader.read()
    put(origin, keysOf(late, target))
    expect(await reloader.reloader.reload(true)).toEqual(refusal(/not to https:\/\/flags\.example\/shop: /))
    const again = await openKeyAddress({ trust, cacheFolder, origin })
    expect(await again.reloader.reloader.reload(true)).toEqual(refusal("not to https://flags.example/shop"))
    expect(again.reloader.reloader.current).toMatchObject([{ id: "web" }])
  })

  test("if nothing is served yet, --verify-target says which place counts", async () => {
    const { origin, reloader } = await openKeyAddress({ trust: { ...trust, target: elsewhere } })
    put(origin, keysOf(early))
    expect(await reloader.reloader.reload(true)).toEqual(refusal("not to https://flags.example/toys"))
    put(origin, keysOf(early, elsewhere))
    await reloader.read()
  })
})

/** Works for root alone, which no mode stops: `a` forbids to remove a folder's files, `i` to change a file. */
const lock = (flags: string, ...paths: readonly string[]) =>
  spawnSync("chattr", [flags, ...paths]).status === 0
const probe = mkdtempSync(join(tmpdir(), "flagstone-lock-"))
const canLock = lock("+a", probe) && lock("-a", probe)
rmdirSync(probe)
if (!canLock)
  console.warn("SKIPPED: a cache folder that cannot be written, because chattr does not work here")

describe("the cache", () => {
  test("gives the last good keys while the address is down, readable only by its user", async () => {
    const cacheFolder = join(await newFolder(), "deep")
    const { origin, reloader } = await openKeyAddress({ cacheFolder, text: webKeyFile })
    await reloader.read()
    expect((await stat(cacheFolder)).mode & 0o777).toBe(0o700)
    for (const file of await readdir(cacheFolder))
      expect((await stat(join(cacheFolder, file))).mode & 0o777).toBe(0o600)
    origin.answer = (_, res) => res.writeHead(500).end()
    const again = await openKeyAddress({ cacheFolder, origin })
    expect(await again.reloader.reloader.reload(true)).toEqual(refusal("returned 500"))
    expect(again.reloader.reloader.current).toMatchObject([{ id: "web" }])
  })

  test("that is damaged delays nothing while the address is well", async () => {
    const cacheFolder = await newFolder()
    await writeFile(join(cacheFolder, "keys.json"), '{"keys":')
    const { reloader } = await openKeyAddress({ cacheFolder, text: webKeyFile })
    await reloader.read()
    expect(reloader.reloader.current).toMatchObject([{ id: "web" }])
  })

  test("that cannot be written is removed, unless it has these keys: one may have been revoked since", async () => {
    const folder = await newFolder()
    const good = await openKeyAddress({ cacheFolder: folder, text: webKeyFile })
    await good.reloader.read()
    // As on a full disk: a temporary file's path, which is longer, would be too long.
    let cacheFolder = folder
    while (cacheFolder.length < 3_900) cacheFolder = join(cacheFolder, "f".repeat(100))
    cacheFolder = join(cacheFolder, "f".repeat(4_060 - cacheFolder.length))
    await mkdir(cacheFolder, { recursive: true })
    await copyFile(join(folder, "keys.json"), join(cacheFolder, "keys.json"))
    const { origin, reloader } = await openKeyAddress({ cacheFolder, origin: good.origin })
    await reloader.read()
    expect(reloader.reloader.cacheFault).toMatch("ENAMETOOLONG")
    expect(await readdir(cacheFolder)).toEqual(["keys.json"])
    origin.files.set("keys.yaml", "keys: []\n")
    await reloader.read()
    expect(await readdir(cacheFolder)).toEqual([])
  })

  test.runIf(canLock)(
    "in a folder that cannot be written is emptied, else its fault says to delete the folder",
    async () => {
      const cacheFolder = await newFolder()
      const path = join(cacheFolder, "keys.json")
      const { origin, reloader } = await openKeyAddress({ cacheFolder, text: webKeyFile })
      await reloader.read()
      onTestFinished(() => void lock("-ai", cacheFolder, path))
      lock("+a", cacheFolder)
      lock("+i", path)
      origin.files.set("keys.yaml", "keys: []\n")
      await reloader.read()
      const fault = /^cannot write .*; the older keys could not be removed, either: delete the folder$/
      expect(reloader.reloader.cacheFault).toMatch(fault)
      lock("-i", path)
      origin.files.set("keys.yaml", "keys: []\n\n")
      await reloader.read()
      expect(reloader.reloader.cacheFault).toMatch(/^cannot write [^;]*$/)
      expect(await readFile(path, "utf8")).toBe("")
    },
  )

  test("a restart does not allow older keys", async () => {
    const cacheFolder = await newFolder()
    const { origin, reloader } = await openKeyAddress({ trust, cacheFolder })
    put(origin, keysOf(late, here, "keys: []\n"))
    await reloader.read()
    put(origin, keysOf(early))
    const again = await openKeyAddress({ trust, cacheFolder, origin })
    expect(await again.reloader.reloader.reload(true)).toEqual(refusal("--allow-older"))
    expect(again.reloader.reloader.current).toEqual([])
  })

  test("a restart does not allow keys that were published between two equal ones", async () => {
    const cacheFolder = await newFolder()
    const { origin, reloader } = await openKeyAddress({ trust, cacheFolder })
    put(origin, keysOf(early, here, "keys: []\n"))
    await reloader.read()
    put(origin, keysOf(latest, here, "keys: []\n"))
    await reloader.look()
    expect(await reloader.look()).toEqual({ kind: "unchanged" })
    put(origin, keysOf(late))
    const again = await openKeyAddress({ trust, cacheFolder, origin })
    expect(await again.reloader.reloader.reload(true)).toEqual(refusal("--allow-older"))
  })

  test("a proxy that reads a lagging copy of the store keeps the newer keys that others have cached", async () => {
    const cacheFolder = await newFolder()
    const current = await openKeyAddress({ trust, cacheFolder })
    put(current.origin, keysOf(late))
    await current.reloader.read()
    const cache = createKeyCache(cacheFolder, trust)
    const bytes = Buffer.from(keysOf(early))
    const signatures = Buffer.from(sign(bytes.toString()))
    const slow = await readKeySet(
      { location: "x", bytes, readSignatures: async () => good(signatures), trust },
      undefined,
    )
    if (slow.kind === "good") await cache.write(slow.value)
    expect(slow.kind).toBe("good")
    expect(await cache.read()).toMatchObject({ value: { publishedAt: Date.parse(late ?? "") } })
  })

  test.each([
    ["without a signature", (text: string) => text.replace(/"signatures":"[^"]+"/, '"signatures":""')],
    [
      "with other keys",
      (text: string) =>
        text.replace(/"keys":"[^"]+"/, `"keys":"${Buffer.from(keysOf(latest)).toString("base64")}"`),
    ],
    ["that is half a file", (text: string) => text.slice(0, 99)],
    ["that is a different file", () => "[]"],
  ])("%s is no cache", async (_, change) => {
    const cacheFolder = await newFolder()
    const { origin, reloader } = await openKeyAddress({ trust, cacheFolder })
    put(origin, keysOf(late))
    await reloader.read()
    const path = join(cacheFolder, "keys.json")
    await writeFile(path, change(await readFile(path, "utf8")))
    origin.answer = (_, res) => res.writeHead(500).end()
    const again = await openKeyAddress({ trust, cacheFolder, origin })
    await again.reloader.reloader.reload(true)
    expect(again.reloader.reloader.current).toBeUndefined()
  })
})
