import type { FlagEntry } from "../../../proxy/contract/snapshot.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Project } from "../../compile/definition/project.ts"
import { createTimeText } from "../../compile/meaning/time-text.ts"
import type { SourceFile } from "../../diagnostics/diagnostic.ts"
import { readOutcomes } from "../model/outcomes.ts"
import { type EntryIn, readFlag } from "../model/read-flag.ts"
import { createRuleWords } from "../model/rule-words.ts"
import type { FlagPart } from "./flag-part.ts"
import type { FlagSource } from "./flag-source.ts"
import type { ListedFlag } from "./list-flags.ts"
import { flagPart } from "./make-part.ts"
import type { PageLists } from "./page-lists.ts"

/** A flag whose part of the page is to be made. */
export interface WantedFlag extends ListedFlag {
  readonly name: string
  /** The file's path from the top of the repository. */
  readonly path: string
  readonly source: FlagSource
}

/** What parts are made with. */
export interface FlagsRequest {
  readonly project: Project
  /** The spec files of the flags. */
  readonly specs: readonly SourceFile[]
  readonly compileExpression: CompileExpression
  readonly lists: PageLists
}

/** Makes the parts of some flags. */
export async function makeFlags(
  wanted: readonly WantedFlag[],
  { project, specs, compileExpression, lists }: FlagsRequest,
): Promise<readonly FlagPart[]> {
  const timeText = createTimeText()
  const entryIn = ({ source: { flag }, times }: WantedFlag, environment: string): FlagEntry => {
    const [createdAt, updatedAt] = [timeText(times.createdAt), timeText(times.updatedAt)]
    const configuration = flag.configurations.get(environment)
    const at = timeText(times.configurations.get(environment) ?? times.updatedAt)
    return {
      flag: { ...flag.flag, createdAt, updatedAt },
      environment: configuration === undefined ? null : { ...configuration, updatedAt: at },
    }
  }
  const names = project.environments.map(({ name }) => name)
  const outcomes = await readOutcomes(
    specs,
    project,
    (environment) => wanted.map((flag) => entryIn(flag, environment)),
    compileExpression,
  )
  const ruleWords = createRuleWords()
  return wanted.map((one) => {
    const entries = names.map((environment): EntryIn => ({ environment, entry: entryIn(one, environment) }))
    const flag = readFlag(entries as [EntryIn, ...EntryIn[]], one.source, one.path, outcomes, ruleWords)
    return flagPart(flag, one.name, { project: project.name, environments: names }, lists)
  })
}
