import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Project } from "../../compile/definition/project.ts"
import { isFlagPath } from "../../compile/read/read.ts"
import type { KeptVersion } from "../versions/kept-version.ts"
import { type CatalogHistory, noHistory } from "./catalog-history.ts"
import { createChangesBetween } from "./changes-between.ts"
import { createHistoryBook } from "./history-book.ts"
import type { Meanings } from "./meanings.ts"
import { type Changes, changesSegments, type Files, followFiles } from "./readable-files.ts"

/** A commit with what it changes of the project's files. */
export interface ToldCommit {
  readonly id: string
  readonly at: number
  readonly author: string
  readonly changes: Changes
}

/** Describes what commits changed, one after the other. */
export interface Teller {
  /** `id` is `""` for what is not committed. */
  readonly tell: (commit: ToldCommit) => void
  readonly history: () => CatalogHistory
  /** The flag files and segment files after the last commit, in the newest versions that can be read. */
  readonly files: Files
}

/** What a teller starts from. */
export interface TellerRequest {
  readonly project: Pick<Project, "name" | "environments" | "ignores">
  /** The files before the first commit. */
  readonly start: Files
  readonly meanings: Meanings
  /** What an earlier run described. */
  readonly earlier?: CatalogHistory | undefined
  readonly compileExpression: CompileExpression
}

export function createTeller(request: TellerRequest): Teller {
  const { project, start, meanings, earlier = noHistory, compileExpression } = request
  const { files, touched, apply } = followFiles(start, project, meanings.isReadable)
  const environments = project.environments.map(({ name }) => name)
  const book = createHistoryBook(environments, earlier)
  const changesBetween = createChangesBetween({ project, environments, compileExpression, write: book.write })
  /** The versions of files that were looked at. One that uses segments is looked at again when segments change. */
  const versions = new Map<string, KeptVersion | undefined>()
  let segments = meanings.segments(files)
  const look = (path: string) => {
    const blob = files.get(path)
    const version = blob === undefined ? undefined : meanings.flag(path, blob, segments)
    versions.set(path, version)
    return version
  }
  return {
    files,
    history: book.history,
    tell({ id, at, author, changes }) {
      const own = touched(changes)
      const isAboutSegments = changesSegments(own)
      const users = isAboutSegments ? meanings.usersOfSegments(files) : []
      const paths = isAboutSegments ? [...new Set([...own, ...users])].filter(isFlagPath) : own
      const before = paths.flatMap((path) => (versions.has(path) ? versions.get(path) : look(path)) ?? [])
      apply(changes, own)
      if (isAboutSegments) segments = meanings.segments(files)
      const said = changesBetween({ before, after: paths.flatMap((path) => look(path) ?? []) })
      book.add({ id, at, author, changes: said })
    },
  }
}
