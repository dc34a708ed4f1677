import type { Parsed } from "../contract/parsed.ts"
import { checkSnapshot, parseJson, type SnapshotDocument } from "../contract/snapshot.ts"
import { type Failed, type Fetched, failed } from "./ask-for-document.ts"
import { createCacheFile } from "./cache-file.ts"
import { changedFlags } from "./changed-flags.ts"
import { createFlags, type Flags } from "./flags.ts"
import type { RemoteConfig } from "./options.ts"
import type { World } from "./world.ts"

/** The last document that was taken from the server or the cache file. Once there are flags, there always are. */
export interface TakenDocument {
  readonly flags: Flags | undefined
  readonly etag: string | undefined
  /** Takes a server's answer and saves it. Resolves with the reason if it gives no flags. */
  take(answer: Fetched): Promise<Failed | undefined>
  /** Takes the flags that this or another process saved last, or else the `fallback`, if there are none yet; whether it did. */
  takeSaved(fallback: Flags | undefined): Promise<boolean>
  /** Resolves when the cache file has the flags. */
  saved(): Promise<void>
}

/** What is told of a document. */
export interface TakenListener {
  /** The flags changed: each of these may have a different value for some user. */
  onChanged(keys: readonly string[]): void
  /** Something else that the log should say. */
  onWarning(message: string): void
}

/** The failure of everything that ends because its provider was closed. */
export const closed = failed("the provider was closed")

/** Nothing is taken once `signal` is aborted. */
export function createTakenDocument(
  config: RemoteConfig,
  world: World,
  listener: TakenListener,
  signal: AbortSignal,
): TakenDocument {
  const cache = config.cacheFile === undefined ? undefined : createCacheFile(config.cacheFile, world.random)
  let flags: Flags | undefined
  let etag: string | undefined
  /** The text that the flags were made from: not every server has tags, and some have several for one document. */
  let taken: string | undefined
  let saved = Promise.resolve()
  let hasWarned = false

  /** Saves the taken text. It is tried again with each good answer, but the warning is given once. */
  function save(text: string): void {
    saved = saved.then(async () => {
      try {
        await cache?.write(text)
        hasWarned = false
      } catch (error) {
        if (!hasWarned)
          listener.onWarning(`the flags cannot be saved for the next start: ${(error as Error).message}`)
        hasWarned = true
      }
    })
  }

  /** `undefined`: there are none, or the log says why they cannot be used. */
  async function readSaved(): Promise<Flags | undefined> {
    try {
      const text = await cache?.read()
      if (text === undefined) return undefined
      const parsed = await parse(text, world)
      if (parsed.kind === "invalid") throw new Error(parsed.reason)
      return await createFlags(parsed.value, text)
    } catch (error) {
      listener.onWarning(`the cache file ${config.cacheFile} cannot be used: ${(error as Error).message}`)
      return undefined
    }
  }

  return {
    get flags() {
      return flags
    },
    get etag() {
      return etag
    },
    async take(answer) {
      if (signal.aborted) return closed
      if (answer.kind === "failed") return answer
      if (answer.kind === "same" || answer.text === taken) {
        if (answer.kind === "document") etag = answer.etag
        if (taken !== undefined) save(taken)
        return undefined
      }
      const parsed = await parse(answer.text, world)
      if (parsed.kind === "invalid")
        return failed(`${config.shown} is not a document of flags: ${parsed.reason}`)
      const next = await createFlags(parsed.value, answer.text)
      await world.breathe()
      if (signal.aborted) return closed
      const before = flags
      flags = next
      etag = answer.etag
      taken = answer.text
      const changed = before === undefined ? [] : changedFlags(before.document, next.document)
      if (changed.length > 0) listener.onChanged(changed)
      save(answer.text)
      return undefined
    },
    async takeSaved(fallback) {
      const cached = (await readSaved()) ?? fallback
      if (signal.aborted || flags !== undefined) return false // a request was faster
      flags = cached
      return flags !== undefined
    },
    saved: () => saved,
  }
}

/** As `parseSnapshot`, in turns: for ten thousand flags, each takes tens of milliseconds. */
async function parse(text: string, { breathe }: World): Promise<Parsed<SnapshotDocument>> {
  await breathe()
  const json = parseJson(text)
  await breathe()
  const checked = json.kind === "invalid" ? json : checkSnapshot(json.value)
  await breathe()
  return checked
}
