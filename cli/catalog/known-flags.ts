import type { FolderHistory } from "../compile/history/folders.ts"
import type { WrittenFlag } from "../compile/meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import type { Onlooker } from "../compile/onlooker.ts"
import { type FlagFile, identityOf } from "../compile/read/flag-file.ts"
import { type FlagSource, sourceOf } from "./versions/flag-source.ts"
import { type KeptVersion, keepVersion } from "./versions/kept-version.ts"

/** What has been read of flags so far, so that nothing is read twice: while they are compiled, and later what the cache knew. */
export interface KnownFlags {
  /** Of flag files of the work tree, by path. */
  readonly sources: Map<string, FlagSource>
  /** By `identityOf`; `undefined`: nobody can read it. */
  readonly versions: Map<string, KeptVersion | undefined>
  /** The commits that were replayed; absent: none. */
  replayed?: FolderHistory
}

/** Knows what the onlooker is told. */
export function createKnownFlags(): { readonly known: KnownFlags; readonly onlooker: Onlooker } {
  const known: KnownFlags = { sources: new Map(), versions: new Map() }
  return {
    known,
    onlooker: {
      onFlag: (file, flag, written) => keepFlag(file, flag, written, known),
      onWalk(history) {
        known.replayed = history
      },
      onOldVersion(identity, version) {
        known.versions.set(identity, version && keepVersion(version.flag, version.written))
      },
    },
  }
}

/** Adds a flag of the work tree. */
export function keepFlag(
  { source, blob }: FlagFile,
  flag: ResolvedFlag,
  written: WrittenFlag,
  known: KnownFlags,
): FlagSource {
  const own = sourceOf(flag, keepVersion(flag, written))
  known.sources.set(source.path, own)
  known.versions.set(identityOf(blob, source.path), own.version)
  return own
}
