import { hash, randomBytes } from "node:crypto"
import { pino } from "pino"
import { createApiKey } from "../../cli/keys/create-api-key.ts"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import type { Bucket } from "../../proxy/contract/bucket.ts"
import type { KeyRecord } from "../../proxy/contract/key-record.ts"
import type { KeySource } from "../../proxy/keys/key-source.ts"
import { prepareSnapshot } from "../../proxy/prepare/prepare.ts"
import { good, type Result, unavailable } from "../../proxy/reload/fault.ts"
import { createGeneration, type Generation } from "../../proxy/snapshots/generation.ts"
import { type LoadedProject, loadProject } from "../../proxy/snapshots/loaded-project.ts"
import type { SnapshotSet } from "../../proxy/snapshots/snapshot-set.ts"
import { createSnapshotSource, type SnapshotSource } from "../../proxy/snapshots/snapshot-source.ts"
import type { FlagEntry } from "../../sdk/contract/snapshot.ts"
import { flagEntry, inEnvironment } from "../flag-entry.ts"
import { inTime } from "../in-time.ts"
import { recordSaid } from "../secrets/record.ts"

export { flagEntry }

export const wallClock = Date.parse("2026-12-01T00:00:00.000Z")
export const defaultBucket: Bucket = { capacity: 100, refillPerSecond: 10 }
export const evaluateBucket: Bucket = { capacity: 200, refillPerSecond: 20 }

export const shop: readonly FlagEntry[] = [
  flagEntry("a/b"),
  flagEntry("dark.mode", 1),
  flagEntry("many-rules", 12),
  flagEntry("one-page-checkout", 2),
]

/** The files of one build by name, the manifest among them. */
export function buildFiles(
  environments: Readonly<Record<string, readonly FlagEntry[]>>,
): Map<string, string> {
  const files = new Map<string, string>()
  const index: Record<string, unknown> = {}
  for (const [name, flags] of Object.entries(environments)) {
    const text = `${JSON.stringify({ flags: flags.map((entry) => inEnvironment(entry, name)) })}\n`
    const size = Buffer.byteLength(text)
    files.set(`${name}.json`, text)
    index[name] = {
      id: name,
      file: `${name}.json`,
      sha256: hash("sha256", text, "hex"),
      size,
      flags: flags.length,
    }
  }
  files.set(
    "manifest.json",
    `${JSON.stringify({ formatVersion: 1, project: "shop", revision: null, environments: index })}\n`,
  )
  return files
}

/** The same files of another project. */
export function named(project: string, files: Map<string, string>): Map<string, string> {
  return new Map(
    [...files].map(([file, text]) => [file, text.replace('"project":"shop"', `"project":"${project}"`)]),
  )
}

/** A source that reads `files` at each poll; change the map to change its contents. */
export function createMapSource(files: ReadonlyMap<string, string>): SnapshotSource {
  return createSnapshotSource({
    location: "a map",
    async read(file) {
      const text = files.get(file)
      return text === undefined ? unavailable(`no ${file} in a map`) : good(Buffer.from(text))
    },
    version: async () => good(JSON.stringify([...files])),
  })
}

/** A source of these keys; change the list to change its contents. */
export function createKeySource(records: readonly KeyRecord[]): KeySource {
  return {
    location: "memory",
    version: async () => good(JSON.stringify(records)),
    read: async () => good({ keys: [...records], bytes: Buffer.alloc(0) }),
  }
}

/** The set in a map of files; rejects if nothing in it is good. */
export async function readFiles(files: ReadonlyMap<string, string>): Promise<SnapshotSet> {
  const ask = { isForced: true, signal: AbortSignal.timeout(60_000) }
  const source = createMapSource(files)
  await source.version(ask)
  return goodOf(await source.read(undefined, ask))
}

function goodOf<T>(result: Result<T>): T {
  if (result.kind !== "good") throw new Error(result.message)
  return result.value
}

/** What a proxy would load from a map of files; rejects if nothing in it is good. */
export async function loadFiles(
  files: ReadonlyMap<string, string>,
  previous?: LoadedProject,
  prepare = prepareSnapshot,
): Promise<LoadedProject> {
  const signal = AbortSignal.timeout(60_000)
  return goodOf(await loadProject(await readFiles(files), previous, prepare, wallClock, signal))
}

/** What a proxy would have loaded from a map of files. */
export async function createMapGeneration(files: ReadonlyMap<string, string>): Promise<Generation> {
  return createGeneration([await loadFiles(files)], false)
}

/** A new random key: its secret, and its record in a key file. */
export function mintKey(
  changes: Partial<KeyRecord> = {},
  random: (bytes: number) => Uint8Array = randomBytes,
): { secret: string; record: KeyRecord } {
  const secret = createApiKey(random)
  const digest = parseApiKey(secret)?.digest ?? ""
  const record: KeyRecord = {
    id: "web",
    project: undefined,
    environment: "production",
    for: undefined,
    flags: undefined,
    digest,
    createdAt: wallClock,
    notBefore: undefined,
    expiresAt: undefined,
    revokedAt: undefined,
    owner: undefined,
    rateLimit: undefined,
    ...changes,
  }
  return { secret, record }
}

/** A logger whose lines can be read back, or waited for. */
export interface TestLogger {
  readonly logger: pino.Logger
  readonly lines: Record<string, unknown>[]
  /** Resolves with the next line whose message is `msg`. */
  next(msg: string): Promise<Record<string, unknown>>
}

export function createTestLogger(): TestLogger {
  const lines: Record<string, unknown>[] = []
  const waiting = new Map<unknown, (line: Record<string, unknown>) => void>()
  const write = (text: string): void => {
    recordSaid("the log of a proxy", text)
    const line = JSON.parse(text)
    lines.push(line)
    waiting.get(line.msg)?.(line)
    waiting.delete(line.msg)
  }
  return {
    logger: pino({ level: "trace" }, { write }),
    lines,
    next: (msg) =>
      inTime(new Promise((resolve) => waiting.set(msg, resolve)), `the log says "${msg}"`, () =>
        lines.slice(-20),
      ),
  }
}
