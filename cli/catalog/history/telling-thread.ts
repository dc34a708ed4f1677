import { createRequire, getCompileCacheDir } from "node:module"
import { dirname } from "node:path"
import { isSegmentPath } from "../../compile/definition/file-names.ts"
import type { FlagFile } from "../../compile/definition/flag-file.ts"
import type { Project } from "../../compile/definition/project.ts"
import { noCheckpoint } from "../../compile/history/checkpoint.ts"
import type { FolderHistory } from "../../compile/history/folders.ts"
import type { WrittenFlag } from "../../compile/meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import type { Host } from "../../host.ts"
import { isOfProject } from "./readable-files.ts"
import type { TellingMessage, TellingOrder, Told } from "./telling.ts"
import { type WrittenVersion, writeVersion } from "./written-version.ts"

/** A thread that describes a history while the main thread goes on. */
export interface TellingThread {
  /** Names the history, which is worth a thread. */
  readonly tell: (order: TellingOrder) => void
  /** Takes a version by `identityOf`. */
  readonly add: (identity: string, flag: ResolvedFlag, written: WrittenFlag) => void
  /** The same for one that nobody can read. */
  readonly addUnreadable: (identity: string) => void
  /** Sends what was added and waits for more to come with it. */
  readonly flush: () => void
  /** Whether a version was added. */
  readonly has: (identity: string) => boolean
  /** The history, once all versions were added. Throws, with the cause, where the thread failed. */
  readonly end: () => Promise<Told>
  /** Ends the thread, whatever it is doing. */
  readonly stop: () => void
}

/**
 * Whether a project is so large that its history may be worth a thread, which is there by the time the history is. Not
 * where there are segments: what flags mean depends on them then, and the thread knows flags alone.
 */
export function mayBeWorthThread(files: readonly FlagFile[]): boolean {
  return files.length >= mostFlagsAlone && !files.some(({ source }) => isSegmentPath(source.path))
}

const mostFlagsAlone = 500

/** What a thread would describe; `undefined` where it is not worth a thread, or is not all of a history. */
export function tellingOrder({ from, commits }: FolderHistory, project: Project): TellingOrder | undefined {
  if (from !== noCheckpoint) return undefined
  const told = commits.map(({ id, at, author, changes }) => {
    return { id, at, author, changes: new Map([...changes].filter(([path]) => isOfProject(path, project))) }
  })
  const size = told.reduce((sum, { changes }) => sum + changes.size, 0)
  if (size < mostChangesAlone || told.some(({ changes }) => [...changes.keys()].some(isSegmentPath)))
    return undefined
  const environments = project.environments.map(({ name, id }) => ({ name, id }))
  return { project: project.name, environments, commits: told }
}

/** Describing these takes some 80 ms, starting a thread 60 ms. */
const mostChangesAlone = 1000

/** Starts the thread; its file is TypeScript in the repository and JavaScript in the package. `variables`: the process's. */
export function startTelling(variables: Host["env"]): TellingThread {
  const { Worker }: typeof import("node:worker_threads") = require("node:worker_threads")
  const file = `./telling-worker.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`
  const worker = new Worker(new URL(file, import.meta.url), {
    resourceLimits,
    env: { ...variables, ...compileCache() },
  })
  const told = new Promise<Told>((resolve, reject) => {
    const fail = (cause: Error) =>
      reject(new Error(`the history cannot be described: ${cause.message}`, { cause }))
    worker.once("message", resolve)
    worker.once("error", fail)
    worker.once("exit", () => fail(new Error("its thread ended early")))
  })
  told.catch(() => {}) // asked for at the end, if at all
  const added = new Set<string>()
  let batch: WrittenVersion[] = []
  const send = (message: TellingMessage) => worker.postMessage(message)
  const sendBatch = () => {
    send({ kind: "versions", versions: batch })
    batch = []
  }
  const push = (identity: string, version: WrittenVersion) => {
    added.add(identity)
    batch.push(version)
    if (batch.length >= batchSize) sendBatch()
  }
  return {
    tell: (order) => send({ kind: "commits", order }),
    flush: sendBatch,
    has: (identity) => added.has(identity),
    add: (identity, flag, written) => push(identity, writeVersion(identity, flag, written)),
    addUnreadable: (identity) => push(identity, identity),
    end() {
      sendBatch()
      send({ kind: "end" })
      return told
    },
    stop: () => void worker.terminate(),
  }
}

/** Versions in a message. */
const batchSize = 100

/** Nearly all that the thread makes stays to its end: a small young generation would be copied again and again. */
const resourceLimits = { maxYoungGenerationSizeMb: 192 }

/** The variable by which alone the thread has Node's cache of compiled code. */
function compileCache(): Record<string, string> {
  const folder = getCompileCacheDir() // Node's own folder for this version, within the one that is configured
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** Most catalogues need no thread, and Node's module takes some milliseconds to load. */
const require = createRequire(import.meta.url)
