import type { FlagEntry, Rule, Flag as SentFlag } from "../../../sdk/contract/snapshot.ts"
import { comparisonsIn, hasExpression, parseCondition } from "../../../sdk/evaluation/condition.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { compareText, type SourceFile } from "../../diagnostics/diagnostic.ts"
import { positionOf } from "../../diagnostics/position.ts"
import { factsOf } from "../../flag/file-facts.ts"
import { keysAskedBy } from "../../flag/flag-uses.ts"
import { sentConfiguration, sentFlag } from "../../flag/sent-flag.ts"
import { timeText } from "../../history/time-text.ts"
import type { FlagTimes } from "../../history/timeline.ts"
import { type Flag, numberOf } from "../../language/flag.ts"
import type { KnownAttribute } from "../../language/known-attributes.ts"
import type { DatedProject } from "../../project/compile.ts"
import type { Input } from "../../project/input.ts"
import { pathFrom } from "../../reading/files/read.ts"
import { staleAfter } from "../../stale/find-stale.ts"
import { givenIn } from "../../stale/given.ts"
import type { BranchChanges } from "../history/branch-changes.ts"
import type { DescribedCommit } from "../history/described-commit.ts"
import type { Catalog, CatalogEnvironment, CatalogFlag } from "./catalog.ts"
import { cellOf, doTheSame } from "./cell.ts"
import { readReached } from "./reached.ts"
import { findForms, sourceLinks } from "./source-links.ts"

/** What a catalogue is made of. */
export interface CatalogParts {
  readonly input: Input
  readonly dated: DatedProject
  readonly specs: readonly SourceFile[]
  readonly history: readonly DescribedCommit[]
  readonly branch: BranchChanges | undefined
  /** The repository's address; `undefined`: no links. */
  readonly baseUrl: string | undefined
  /** The branch in which the forge's editor opens files; `undefined`: none. */
  readonly editBranch: string | undefined
  readonly compileExpression: CompileExpression
}

/** Assembles everything that the page shows. */
export async function assembleCatalog(parts: CatalogParts): Promise<Catalog> {
  const { project, repository } = parts.input
  const { environments: inFile, attributes } = project
  const { revision, committedAt, times } = parts.dated.history
  const isProtected = ({ name }: CatalogEnvironment) => project.protected.includes(name)
  const live = inFile.findLast(isProtected) ?? inFile.at(-1)
  const first = inFile.some(isProtected) ? inFile.filter(isProtected) : inFile.slice(-1)
  const environments = [...first, ...inFile.filter((one) => !first.includes(one))]
  const placeOf = (one: CatalogEnvironment | undefined) =>
    one === undefined ? -1 : environments.indexOf(one)
  const flags = await assembleFlags(parts, environments, placeOf(live))
  const rules = flags.flatMap(({ cells }) => cells.flatMap(({ configuration }) => configuration?.rules ?? []))
  return {
    project: project.name,
    projectId: project.id,
    environments,
    protected: environments.filter(isProtected).length,
    live: placeOf(live),
    beforeLive: placeOf(inFile[inFile.findIndex(({ name }) => name === live?.name) - 1]),
    revision,
    asOf: timeText(committedAt ?? newestOf(times.values())),
    flags,
    ...(parts.branch && { branch: parts.branch }),
    attributes: attributes === undefined ? attributesIn(rules) : [...attributes.values()],
    hasExpressions: rules.some((rule) => hasExpression(parseCondition(rule))),
    history: parts.history,
    links: sourceLinks(parts.baseUrl, revision, {
      branch: parts.editBranch,
      forms: repository.kind === "inside" ? await findForms(repository.top) : [],
    }),
  }
}

async function assembleFlags(
  { input, dated, specs, branch, compileExpression }: CatalogParts,
  environments: readonly CatalogEnvironment[],
  live: number,
): Promise<readonly CatalogFlag[]> {
  const { project, repository } = input
  const prefix = repository.kind === "inside" ? repository.prefix : ""
  const entriesOf = createEntries(
    dated,
    environments.map(({ name }) => name),
  )
  const changed = new Set(branch?.changes.map(({ flag }) => flag))
  const isUnchanged = ({ key }: Flag) => Number(!changed.has(key))
  const flags = dated.flags
    .toSorted((a, b) => isUnchanged(a) - isUnchanged(b) || compareText(a.key, b.key))
    .map((flag) => ({ flag, ...entriesOf(flag) }))
  const reached = await readReached(
    specs,
    dated,
    new Map(environments.map(({ name }, at) => [name, flags.flatMap(({ entries }) => entries[at] ?? [])])),
    compileExpression,
  )
  const asking = flags.flatMap(({ flag }) => keysAskedBy(flag).map((asked) => ({ asked, by: flag.key })))
  return flags.map(({ flag, sent, entries, removedAt }): CatalogFlag => {
    const { key, source } = flag
    const { owner, tags, expires, links } = factsOf(flag)
    const cells = entries.map((entry, at) => {
      const name = environments[at]?.name ?? ""
      const rules = flag.configurations.get(name)?.rules ?? []
      return cellOf(name, entry, {
        rules: rules.map((rule) => {
          const { condition, gives, node } = rule
          return { condition, gives, line: positionOf(source, node.start).line, rule: numberOf(rule) }
        }),
        given: givenIn(flag, name, compileExpression, project.clock),
        reachedBy: reached.of(name, flag),
      })
    })
    const model = cells[live]
    const after = staleAfter(tags, project)
    return {
      ...{ flag: sent, owner, tags, expires, links, path: prefix + pathFrom(project.folder, source.path) },
      staleAfter: Number.isFinite(after) ? after : null,
      asks: asking.filter(({ by }) => by === key).map(({ asked }) => asked),
      askedBy: asking.filter(({ asked }) => asked === key).map(({ by }) => by),
      isTested: reached.tested.has(key),
      cells: cells.map((cell, at) => ({
        ...cell,
        removedAt: removedAt[at],
        differs: model !== undefined && !doTheSame(model, cell),
      })),
    }
  })
}

/** A flag, its entry in each environment as SDKs get it, and when its configuration there was removed. */
interface FlagEntries {
  readonly sent: SentFlag
  readonly entries: readonly FlagEntry[]
  readonly removedAt: readonly (string | undefined)[]
}

function createEntries(
  { history: { times } }: DatedProject,
  environments: readonly string[],
): (flag: Flag) => FlagEntries {
  return (flag) => {
    const { key, configurations } = flag
    const own = times.get(key)
    if (own === undefined) throw new Error(`the history has no times for the flag ${key}`)
    const [createdAt, updatedAt] = [timeText(own.createdAt), timeText(own.updatedAt)]
    const sent: SentFlag = { ...sentFlag(flag), createdAt, updatedAt }
    const entries = environments.map((environment): FlagEntry => {
      const configuration = configurations.get(environment)
      if (configuration === undefined) return { flag: sent, environment: null }
      const changedAt = timeText(own.configurations.get(environment) ?? own.updatedAt)
      return { flag: sent, environment: { ...sentConfiguration(configuration), updatedAt: changedAt } }
    })
    const removedAt = environments.map((environment) => {
      const at = configurations.has(environment) ? undefined : own.configurations.get(environment)
      return at === undefined ? undefined : timeText(at)
    })
    return { sent, entries, removedAt }
  }
}

/** The time of the newest change, in milliseconds since 1970, used if there is no commit. */
function newestOf(all: Iterable<FlagTimes>): number {
  const times = [...all].flatMap(({ updatedAt, configurations }) => [updatedAt, ...configurations.values()])
  return times.reduce((newest, time) => Math.max(newest, time), 0)
}

/** The attributes in rules, at any depth, sorted. */
function attributesIn(rules: readonly Rule[]): readonly KnownAttribute[] {
  const comparisons = rules.flatMap((rule) => comparisonsIn(parseCondition(rule)))
  const names = new Set(comparisons.map(({ attribute }) => attribute).filter((name) => name !== ""))
  return [...names].sort().map((name) => ({ name, type: undefined, description: "", values: undefined }))
}
