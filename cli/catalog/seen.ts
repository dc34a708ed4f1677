import type { FlagFile } from "../compile/definition/flag-file.ts"
import { identityOf } from "../compile/definition/flag-file.ts"
import type { FolderHistory } from "../compile/history/folders.ts"
import type { WrittenFlag } from "../compile/meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import type { Onlooker } from "../compile/onlooker.ts"
import { type FlagSource, sourceOf } from "./versions/flag-source.ts"
import { type KeptVersion, keepVersion } from "./versions/kept-version.ts"

/** What was read while files were compiled, as far as a catalogue needs it. What the cache knew is absent. */
export interface Seen {
  /** Of flag files of the work tree, by path. */
  readonly sources: Map<string, FlagSource>
  /** By `identityOf`; `undefined`: nobody can read it. */
  readonly versions: Map<string, KeptVersion | undefined>
  walked?: FolderHistory
}

/** What an onlooker sees is there once the files are compiled. */
export function createSeen(): { readonly seen: Seen; readonly onlooker: Onlooker } {
  const seen: Seen = { sources: new Map(), versions: new Map() }
  return {
    seen,
    onlooker: {
      onFlag: (file, flag, written) => keepFlag(file, flag, written, seen),
      onWalk(walked) {
        seen.walked = walked
      },
      onOldVersion(identity, version) {
        seen.versions.set(identity, version && keepVersion(version.flag, version.written))
      },
    },
  }
}

/** Keeps what the catalogue needs of a flag of the work tree. */
export function keepFlag(
  { source, blob }: FlagFile,
  flag: ResolvedFlag,
  written: WrittenFlag,
  seen: Seen,
): FlagSource {
  const own = sourceOf(flag, keepVersion(flag, written))
  seen.sources.set(source.path, own)
  seen.versions.set(identityOf(blob, source.path), own.version)
  return own
}
