import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import {
  createSigningKeys,
  parsePrivateKey,
  parsePublicKey,
  signManifest,
} from "../../../proxy/contract/signature.ts"
import { createDirectorySource } from "../../../proxy/snapshots/directory-source.ts"
import { createSnapshotCache } from "../../../proxy/snapshots/snapshot-cache.ts"
import type { SnapshotSource } from "../../../proxy/snapshots/snapshot-source.ts"
import type { Trust } from "../../../proxy/snapshots/trust.ts"
import { createUrlSource } from "../../../proxy/snapshots/url-source.ts"
import { buildFiles, shop } from "../fixtures.ts"

const pair = createSigningKeys()
const privateKey = parsePrivateKey(pair.privateKey)
const publicKey = parsePublicKey(pair.publicKey)
if (privateKey.kind === "invalid" || publicKey.kind === "invalid") throw new Error("no keys")
const trust: Trust = { publicKey: publicKey.value, allowOlder: false }

const files = buildFiles({ production: shop })

function manifest(publishedAt: string | undefined): Buffer {
  return Buffer.from(JSON.stringify({ ...JSON.parse(files.get("manifest.json") ?? ""), publishedAt }))
}
const sign = (bytes: Buffer) => (privateKey.kind === "valid" ? signManifest(bytes, privateKey.value) : "")

/** Times of publications in order. */
const [early, late] = ["2026-11-21T10:00:00.000Z", "2026-11-21T11:00:00.000Z"] as const

/** Clocks that stand. */
const still = { monotonicNow: () => 0, random: () => 0 }

const closers: (() => void)[] = []
afterAll(() => {
  for (const close of closers) close()
})

const sources: readonly [string, (folder: string, trust: Trust) => Promise<SnapshotSource>][] = [
  ["a folder", async (directory, trust) => createDirectorySource({ directory, trust, ...still })],
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
  return createUrlSource({
    base: new URL(`http://127.0.0.1:${(server.address() as { port: number }).port}/`),
    authorization: undefined,
    cache: cacheFolder === undefined ? undefined : createSnapshotCache(cacheFolder),
    trust,
    onCacheFailure: (error) => {
      throw error
    },
    monotonicNow: () => 0,
    random: () => 0,
  })
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

/** As the proxy does: looks, and serves what was found. */
async function serve(source: SnapshotSource) {
  const sighting = await source.look(true)
  if (sighting.kind !== "found") throw new Error(sighting.kind)
  await source.applied?.(sighting.value, sighting.value.faults)
  return sighting.value
}

describe.each(sources)("%s with --verify-key", (_, open) => {
  test.each([
    ["no signature", undefined],
    ["an empty one", ""],
    ["one of other bytes", sign(manifest(late))],
    ["one by another key", foreign(manifest(early))],
  ])("refuses a manifest with %s, at the start and later", async (_, signatures) => {
    const folder = await newFolder()
    const source = await open(folder, trust)
    await put(folder, manifest(early), signatures)
    await expect(source.look(true)).rejects.toThrow("manifest.json")
    await put(folder, manifest(early), sign(manifest(early)))
    await serve(source)
    await put(folder, manifest(early), signatures)
    await expect(source.look(true)).rejects.toThrow("manifest.json")
  })

  test("between the two writes of a publication, either manifest holds", async () => {
    const folder = await newFolder()
    const source = await open(folder, trust)
    await put(folder, manifest(early), sign(manifest(late)) + sign(manifest(early)))
    expect((await serve(source)).manifest.publishedAt).toBe(early)
    await put(folder, manifest(late), sign(manifest(late)) + sign(manifest(early)))
    expect((await serve(source)).manifest.publishedAt).toBe(late)
  })

  test("does not go back, unless that was signed later, or it is told to", async () => {
    const folder = await newFolder()
    const source = await open(folder, trust)
    await put(folder, manifest(late), sign(manifest(late)))
    await serve(source)
    for (const old of [manifest(early), manifest(undefined)]) {
      await put(folder, old, sign(old))
      await expect(source.look(true)).rejects.toThrow("--rollback, or start with --allow-older")
    }
    const again = manifest("2026-11-21T12:00:00.000Z")
    await put(folder, again, sign(again))
    await serve(source)
    const lenient = await open(folder, { ...trust, allowOlder: true })
    await serve(lenient)
    await put(folder, manifest(early), sign(manifest(early)))
    expect((await serve(lenient)).manifest.publishedAt).toBe(early)
  })
})

describe("an address with --verify-key and a cache", () => {
  test("a restart opens no way back, and serves what was served", async () => {
    const folder = await newFolder()
    const cache = await mkdtemp(join(tmpdir(), "flagstone-cache-"))
    await put(folder, manifest(late), sign(manifest(late)))
    await serve(await openAddress(folder, trust, cache))
    await put(folder, manifest(early), sign(manifest(early)))
    const set = await serve(await openAddress(folder, trust, cache))
    expect(set.manifest.publishedAt).toBe(late)
    expect(set.insteadOf?.message).toContain("--allow-older")
  })

  test("who asks a lagging copy of the store leaves the newer set that others have kept", async () => {
    const [current, lagging] = [await newFolder(), await newFolder()]
    const cache = await mkdtemp(join(tmpdir(), "flagstone-cache-"))
    await put(lagging, manifest(early), sign(manifest(early)))
    await put(current, manifest(late), sign(manifest(late)))
    const slow = await openAddress(lagging, trust, cache)
    const sighting = await slow.look(true)
    await serve(await openAddress(current, trust, cache))
    if (sighting.kind === "found") await slow.applied?.(sighting.value, new Map())
    expect((await createSnapshotCache(cache).read(trust)).manifest.publishedAt).toBe(late)
  })

  test("a cache that was tampered with is no set", async () => {
    const folder = await newFolder()
    const cache = await mkdtemp(join(tmpdir(), "flagstone-cache-"))
    await put(folder, manifest(late), sign(manifest(late)))
    await serve(await openAddress(folder, trust, cache))
    await writeFile(join(cache, "manifest.json"), manifest(early))
    await rm(join(folder, "manifest.json"))
    await expect((await openAddress(folder, trust, cache)).look(true)).rejects.toThrow("404")
  })
})

function foreign(bytes: Buffer): string {
  const key = parsePrivateKey(createSigningKeys().privateKey)
  return key.kind === "valid" ? signManifest(bytes, key.value) : ""
}
