import type { FlagFile } from "../compile/definition/flag-file.ts"
import { identityOf } from "../compile/definition/flag-file.ts"
import type { Project } from "../compile/definition/project.ts"
import type { FolderHistory } from "../compile/history/folders.ts"
import type { Repository } from "../compile/history/repository.ts"
import type { FlagTimes } from "../compile/history/timeline.ts"
import type { CompiledFlag, WrittenFlag } from "../compile/meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import type { Onlooker } from "../compile/onlooker.ts"
import { type FlagSource, sourceOf } from "./versions/flag-source.ts"
import { type KeptVersion, keepVersion } from "./versions/kept-version.ts"

/** What a build has read, as far as a catalogue needs it. What it knew from its cache is absent. */
export interface BuildParts {
  readonly project: Project
  readonly repository: Repository
  /** The flag files and segment files. */
  readonly files: readonly FlagFile[]
  /** Of flag files of the work tree, by path. */
  readonly sources: Map<string, FlagSource>
  /** By `identityOf`; `undefined`: nobody can read it. */
  readonly versions: Map<string, KeptVersion | undefined>
  walked?: FolderHistory
  compiled?: { readonly flags: readonly CompiledFlag[]; readonly times: ReadonlyMap<string, FlagTimes> }
}

export function createParts(
  project: Project,
  repository: Repository,
  files: readonly FlagFile[],
): BuildParts {
  return { project, repository, files, sources: new Map(), versions: new Map() }
}

/** Keeps what the catalogue needs of a flag of the work tree. */
export function keepFlag(
  { source, blob }: FlagFile,
  flag: ResolvedFlag,
  written: WrittenFlag,
  parts: BuildParts,
): FlagSource {
  const own = sourceOf(flag, keepVersion(flag, written))
  parts.sources.set(source.path, own)
  parts.versions.set(identityOf(blob, source.path), own.version)
  return own
}

/** An onlooker of one build. */
export interface BuildWatch {
  readonly onlooker: Onlooker
  /** What the build has read; `undefined` before it has read its files. */
  readonly parts: () => BuildParts | undefined
}

export function watchBuild(): BuildWatch {
  let parts: BuildParts | undefined
  return {
    parts: () => parts,
    onlooker: {
      onFiles(project, repository, files) {
        parts = createParts(project, repository, files)
      },
      onFlag(file, flag, written) {
        if (parts !== undefined) keepFlag(file, flag, written, parts)
      },
      onWalk(walked) {
        if (parts !== undefined) parts.walked = walked
      },
      onOldVersion(identity, version) {
        parts?.versions.set(identity, version && keepVersion(version.flag, version.written))
      },
      onCompiled(flags, times) {
        if (parts !== undefined) parts.compiled = { flags, times }
      },
    },
  }
}
