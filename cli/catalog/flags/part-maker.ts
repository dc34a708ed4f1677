import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Project } from "../../compile/definition/project.ts"
import { createTimeText } from "../../compile/meaning/time-text.ts"
import { timelessEntry } from "../../compile/meaning/timeless-entry.ts"
import type { SourceFile } from "../../diagnostics/diagnostic.ts"
import { readOutcomes } from "../model/outcomes.ts"
import { createCatalogFlags, type FlagToRead } from "../model/read-flag.ts"
import { restoreVersion } from "../versions/kept-version.ts"
import type { FlagPart } from "./flag-part.ts"
import type { ListedFlag } from "./list-flags.ts"
import { createFlagPart } from "./make-part.ts"
import type { PageLists } from "./page-lists.ts"

/** A flag whose part of the page is to be made. */
export interface WantedFlag extends ListedFlag, FlagToRead {
  readonly name: string
}

/** What parts are made with. */
export interface FlagsRequest {
  readonly project: Project
  /** The spec files of the flags. */
  readonly specs: readonly SourceFile[]
  readonly compileExpression: CompileExpression
  readonly lists: PageLists
}

/** Makes the function that makes the parts of some flags. The page's lists get what they lack. */
export async function createPartMaker(
  wanted: readonly WantedFlag[],
  { project, specs, compileExpression, lists }: FlagsRequest,
): Promise<(flag: WantedFlag) => FlagPart> {
  const environments = project.environments.map(({ name }) => name)
  const outcomes = await readOutcomes(
    specs,
    project,
    (environment) => wanted.map(({ source }) => timelessEntry(restoreVersion(source.version), environment)),
    compileExpression,
  )
  const readFlag = createCatalogFlags(environments, outcomes, createTimeText())
  const flagPart = createFlagPart({ project: project.name, environments }, lists)
  return (flag) => flagPart(readFlag(flag), flag.name)
}
