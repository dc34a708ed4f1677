import type { FlagFile } from "../compile/definition/flag-file.ts"
import { identityOf } from "../compile/definition/flag-file.ts"
import type { Project } from "../compile/definition/project.ts"
import type { FolderHistory } from "../compile/history/folders.ts"
import type { Repository } from "../compile/history/repository.ts"
import type { FlagTimes } from "../compile/history/timeline.ts"
import type { CompiledFlag } from "../compile/meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import type { Onlooker } from "../compile/onlooker.ts"
import type { Host } from "../host.ts"
import { type FlagSource, sourceOf } from "./flags/flag-source.ts"
import { rememberHistory } from "./history/remembered-history.ts"
import { mayBeWorthThread, startTelling, type TellingThread, tellingOrder } from "./history/telling-thread.ts"
import { withoutTree } from "./history/without-tree.ts"

/** What a build has read, as far as a catalogue needs it. What it knew from its cache is absent. */
export interface BuildParts {
  readonly project: Project
  readonly repository: Repository
  /** The flag files and segment files. */
  readonly files: readonly FlagFile[]
  /** Of flag files of the work tree, by path. */
  readonly sources: Map<string, FlagSource>
  /** By `identityOf`, without their trees; `undefined`: nobody can read it. What the thread was given is absent. */
  readonly versions: Map<string, ResolvedFlag | undefined>
  walked?: FolderHistory
  compiled?: { readonly flags: readonly CompiledFlag[]; readonly times: ReadonlyMap<string, FlagTimes> }
  /** Describes the walked commits in a thread; absent where they are not worth one. */
  telling?: TellingThread | undefined
}

export function createParts(
  project: Project,
  repository: Repository,
  files: readonly FlagFile[],
): BuildParts {
  return { project, repository, files, sources: new Map(), versions: new Map() }
}

/** Keeps what the catalogue needs of a flag of the work tree. */
export function keepFlag({ source, blob }: FlagFile, flag: ResolvedFlag, parts: BuildParts): FlagSource {
  const own = sourceOf(flag)
  parts.sources.set(source.path, own)
  parts.versions.set(identityOf(blob, source.path), own.flag)
  return own
}

/** An onlooker of one build. */
export interface BuildWatch {
  readonly onlooker: Onlooker
  /** What the build has read; `undefined` before it has read its files. */
  readonly parts: () => BuildParts | undefined
  /** Ends what was begun, whether or not a catalogue was made. */
  readonly stop: () => void
}

/** `cache`: whether a history may be remembered; then none is described during the build. `variables`: the process's. */
export function watchBuild(cache: boolean, variables: Host["env"]): BuildWatch {
  let parts: BuildParts | undefined
  return {
    parts: () => parts,
    stop: () => parts?.telling?.stop(),
    onlooker: {
      onFiles(project, repository, files) {
        parts = createParts(project, repository, files)
        if (repository.kind === "outside" || !mayBeWorthThread(files)) return
        if (!rememberHistory(repository, project, cache).has()) parts.telling = startTelling(variables)
      },
      onFlag(file, flag, written) {
        if (parts === undefined) return
        keepFlag(file, flag, parts)
        parts.telling?.add(identityOf(file.blob, file.source.path), flag, written)
      },
      onWalk(walked) {
        if (parts === undefined) return
        parts.walked = walked
        const order = tellingOrder(walked, parts.project)
        if (order !== undefined) return parts.telling?.tell(order)
        parts.telling?.stop()
        parts.telling = undefined
      },
      onOldVersion(identity, flag, written) {
        if (parts?.telling === undefined) parts?.versions.set(identity, withoutTree(flag))
        else parts.telling.add(identity, flag, written)
      },
      onUnreadable(identity) {
        parts?.versions.set(identity, undefined)
        parts?.telling?.addUnreadable(identity)
      },
      onCompiled(flags, times) {
        if (parts === undefined) return
        parts.compiled = { flags, times }
        parts.telling?.flush()
      },
    },
  }
}
