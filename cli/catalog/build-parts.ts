import type { FlagFile } from "../compile/definition/flag-file.ts"
import type { FolderHistory } from "../compile/history/folders.ts"
import type { Repository } from "../compile/history/repository.ts"
import type { FlagTimes } from "../compile/history/timeline.ts"
import { type CompiledFlag, identityOf } from "../compile/meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import type { Onlooker } from "../compile/onlooker.ts"
import { type FlagSource, sourceOf } from "./flags/flag-source.ts"
import { withoutTree } from "./history/without-tree.ts"

/** What a build has read, as far as a catalogue needs it. What it knew from its cache is absent. */
export interface BuildParts {
  readonly repository: Repository
  /** The flag files and segment files. */
  readonly files: readonly FlagFile[]
  /** Of flag files of the work tree, by path. */
  readonly sources: Map<string, FlagSource>
  /** By `identityOf`, without their trees; `undefined`: nobody can read it. */
  readonly versions: Map<string, ResolvedFlag | undefined>
  walked?: FolderHistory
  compiled?: { readonly flags: readonly CompiledFlag[]; readonly times: ReadonlyMap<string, FlagTimes> }
}

export function createParts(repository: Repository, files: readonly FlagFile[]): BuildParts {
  return { repository, files, sources: new Map(), versions: new Map() }
}

/** Keeps what the catalogue needs of a flag of the work tree. */
export function keepFlag({ source, blob }: FlagFile, flag: ResolvedFlag, parts: BuildParts): FlagSource {
  const own = sourceOf(flag)
  parts.sources.set(source.path, own)
  parts.versions.set(identityOf(blob, source.path), own.flag)
  return own
}

/** Looks on at a build; `parts` gives what it has read. */
export function watchBuild(): { readonly onlooker: Onlooker; readonly parts: () => BuildParts | undefined } {
  let parts: BuildParts | undefined
  return {
    parts: () => parts,
    onlooker: {
      onFiles(repository, files) {
        parts = createParts(repository, files)
      },
      onFlag(file, flag) {
        if (parts !== undefined) keepFlag(file, flag, parts)
      },
      onOldVersion: (identity, flag) => parts?.versions.set(identity, flag && withoutTree(flag)),
      onWalk(walked) {
        if (parts !== undefined) parts.walked = walked
      },
      onCompiled(flags, times) {
        if (parts !== undefined) parts.compiled = { flags, times }
      },
    },
  }
}
