// @module-tag system
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { createSigningKeys } from "../../../cli/keys/create-signing-keys.ts"
import { parsePrivateKey, parsePublicKey, signBytes } from "../../../proxy/contract/signature.ts"
import { createAddress } from "../../../proxy/reload/address.ts"
import { createFolder } from "../../../proxy/reload/folder.ts"
import type { Trust } from "../../../proxy/reload/trust.ts"
import { createSnapshotCache } from "../../../proxy/snapshots/snapshot-cache.ts"
import {
  createSnapshotSource,
  fixOfSet,
  type SnapshotSource,
} from "../../../proxy/snapshots/snapshot-source.ts"
import { buildFiles, shop } from "../fixtures.ts"
import { createSetReloader, refusal } from "../set-reloader.ts"

const pair = createSigningKeys()
const privateKey = parsePrivateKey(pair.privateKey)
const publicKey = parsePublicKey(pair.publicKey)
if (privateKey.kind === "invalid" || publicKey.kind === "invalid") throw new Error("no keys")
const trust: Trust = { publicKey: publicKey.value, allowOlder: false }

const files = buildFiles({ production: shop })

function manifest(publishedAt: string | undefined): Buffer {
  return Buffer.from(JSON.stringify({ ...JSON.parse(files.get("manifest.json") ?? ""), publishedAt }))
}
const sign = (bytes: Buffer) => (privateKey.kind === "valid" ? signBytes(bytes, privateKey.value) : "")

/** Times of publication, in order. */
const [early, late] = ["2026-11-21T10:00:00.000Z", "2026-11-21T11:00:00.000Z"] as const

const closers: (() => void)[] = []
afterAll(() => {
  for (const close of closers) close()
})

const sources: readonly [string, (folder: string, trust: Trust) => Promise<SnapshotSource>][] = [
  ["a folder", async (folder, trust) => createSnapshotSource(createFolder(folder, fixOfSet), trust)],
  ["an address", async (folder, trust) => openAddress(folder, trust)],
]

/** Over real HTTP, from the folder. */
async function openAddress(folder: string, trust: Trust, cacheFolder?: string): Promise<SnapshotSource> {
  const server = createServer(async (request, response) => {
    const body = await readFile(join(folder, request.url ?? "")).catch(() => undefined)
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  closers.push(() => server.close().closeAllConnections())
  const base = new URL(`http://127.0.0.1:${(server.address() as { port: number }).port}/`)
  const address = createAddress({
    base,
    first: "manifest.json",
    authorization: undefined,
    fixOf: () => "publish it",
  })
  const cache = cacheFolder === undefined ? undefined : createSnapshotCache(cacheFolder, trust)
  return createSnapshotSource(address, trust, cache)
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "flagstone-trust-"))
  for (const [file, text] of files) await writeFile(join(folder, file), text)
  return folder
}

async function put(folder: string, bytes: Buffer, signatures: string | undefined): Promise<void> {
  await writeFile(join(folder, "manifest.json"), bytes)
  if (signatures === undefined) await rm(join(folder, "manifest.json.sig"), { force: true })
  else await writeFile(join(folder, "manifest.json.sig"), signatures)
}

describe.each(sources)("%s with --verify-key", (_, open) => {
  test.each([
    ["no signature", undefined],
    ["an empty one", ""],
    ["one of other bytes", sign(manifest(late))],
    ["one by a different key", foreign(manifest(early))],
  ])("refuses a manifest with %s, at the start and later", async (_, signatures) => {
    const folder = await newFolder()
    const reloader = createSetReloader(await open(folder, trust))
    await put(folder, manifest(early), signatures)
    expect(await reloader.reload(true)).toEqual(refusal("manifest.json"))
    await put(folder, manifest(early), sign(manifest(early)))
    await reloader.serve(true)
    await put(folder, manifest(early), signatures)
    expect(await reloader.reload(true)).toEqual(refusal("manifest.json"))
  })

  test("between the two writes of a publication, either manifest is accepted", async () => {
    const folder = await newFolder()
    const reloader = createSetReloader(await open(folder, trust))
    await put(folder, manifest(early), sign(manifest(late)) + sign(manifest(early)))
    expect((await reloader.serve(true)).manifest.publishedAt).toBe(early)
    await put(folder, manifest(late), sign(manifest(late)) + sign(manifest(early)))
    expect((await reloader.serve(true)).manifest.publishedAt).toBe(late)
  })

  test("does not go back, unless that was signed later, or it is told to", async () => {
    const folder = await newFolder()
    const reloader = createSetReloader(await open(folder, trust))
    await put(folder, manifest(late), sign(manifest(late)))
    await reloader.serve(true)
    for (const old of [manifest(early), manifest(undefined)]) {
      await put(folder, old, sign(old))
      expect(await reloader.reload(true)).toEqual(refusal("--rollback`, or start with --allow-older"))
    }
    const again = manifest("2026-11-21T12:00:00.000Z")
    await put(folder, again, sign(again))
    await reloader.serve(true)
    const lenient = createSetReloader(await open(folder, { ...trust, allowOlder: true }))
    await lenient.serve(true)
    await put(folder, manifest(early), sign(manifest(early)))
    expect((await lenient.serve(true)).manifest.publishedAt).toBe(early)
  })
})

function manifestOf(members: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(
    JSON.stringify({ ...JSON.parse(manifest(early).toString()), publishedAt: late, ...members }),
  )
}

const [here, elsewhere] = ["https://flags.example/shop", "https://flags.example/toys"] as const

test.each([
  ["of a different project", { project: "toys", target: here }, /project toys, not shop/],
  ["of a different place", { target: elsewhere }, /published to .*toys, not to .*shop/],
  ["that names no place", {}, /published without a target, not to .*: publish it with --base-url/],
])("a newer set %s is refused though the key fits, also after a restart", async (_, members, reason) => {
  const folder = await newFolder()
  const cache = await mkdtemp(join(tmpdir(), "flagstone-cache-"))
  const good = manifestOf({ publishedAt: early, target: here })
  await put(folder, good, sign(good))
  const reloader = createSetReloader(await openAddress(folder, trust, cache))
  await reloader.serve(true)
  const strange = manifestOf(members)
  await put(folder, strange, sign(strange))
  expect(await reloader.reload(true)).toEqual(refusal(reason))
  const restarted = await createSetReloader(await openAddress(folder, trust, cache)).fallBack(reason)
  expect(restarted.manifest).toMatchObject({ project: "shop", target: here })
})

test("if nothing is served yet, --verify-target says which place counts, and where a target moved to", async () => {
  const folder = await newFolder()
  const cache = await mkdtemp(join(tmpdir(), "flagstone-cache-"))
  const good = manifestOf({ publishedAt: early, target: here })
  await put(folder, good, sign(good))
  const strict = createSetReloader(await openAddress(folder, { ...trust, target: elsewhere }))
  expect(await strict.reload(true)).toEqual(refusal("not to https://flags.example/toys"))
  await createSetReloader(await openAddress(folder, trust, cache)).serve(true)
  const moved = manifestOf({ target: elsewhere })
  await put(folder, moved, sign(moved))
  const follower = createSetReloader(await openAddress(folder, { ...trust, target: elsewhere }, cache))
  expect((await follower.serve(true)).manifest.target).toBe(elsewhere)
})

describe("an address with --verify-key and a cache", () => {
  test("a restart does not allow an older set, and serves what was served", async () => {
    const folder = await newFolder()
    const cache = await mkdtemp(join(tmpdir(), "flagstone-cache-"))
    await put(folder, manifest(late), sign(manifest(late)))
    await createSetReloader(await openAddress(folder, trust, cache)).serve(true)
    await put(folder, manifest(early), sign(manifest(early)))
    const set = await createSetReloader(await openAddress(folder, trust, cache)).fallBack("--allow-older")
    expect(set.manifest.publishedAt).toBe(late)
  })

  test("a proxy that reads a lagging copy of the store keeps the newer set that others have cached", async () => {
    const [current, lagging] = [await newFolder(), await newFolder()]
    const cache = await mkdtemp(join(tmpdir(), "flagstone-cache-"))
    await put(lagging, manifest(early), sign(manifest(early)))
    await put(current, manifest(late), sign(manifest(late)))
    const slow = await createSetReloader(await openAddress(lagging, trust)).serve(true)
    await createSetReloader(await openAddress(current, trust, cache)).serve(true)
    await createSnapshotCache(cache, trust).write(slow)
    expect(await createSnapshotCache(cache, trust).read()).toMatchObject({
      value: { manifest: { publishedAt: late } },
    })
  })

  test("a cache that was tampered with is not used", async () => {
    const folder = await newFolder()
    const cache = await mkdtemp(join(tmpdir(), "flagstone-cache-"))
    await put(folder, manifest(late), sign(manifest(late)))
    await createSetReloader(await openAddress(folder, trust, cache)).serve(true)
    await writeFile(join(cache, "manifest.json"), manifest(early))
    await rm(join(folder, "manifest.json"))
    const reloader = createSetReloader(await openAddress(folder, trust, cache))
    expect(await reloader.reload(true)).toEqual(refusal("404"))
  })
})

function foreign(bytes: Buffer): string {
  const key = parsePrivateKey(createSigningKeys().privateKey)
  return key.kind === "valid" ? signBytes(bytes, key.value) : ""
}
