import type { Flag, FlagEntry } from "../../../proxy/contract/snapshot.ts"
import { hasExpression, type ParsedCondition, parseCondition } from "../../../sdk/evaluation/condition.ts"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { KnownAttribute } from "../../compile/grammar/known-attributes.ts"
import type { CompiledFiles } from "../../compile/history/compiled-files.ts"
import type { FlagTimes } from "../../compile/history/timeline.ts"
import type { Input } from "../../compile/input.ts"
import type { CompiledFlag } from "../../compile/meaning/compiled-flag.ts"
import { createTimeText, timeText } from "../../compile/meaning/time-text.ts"
import { pathFrom } from "../../compile/read/read.ts"
import { compareText, type SourceFile } from "../../diagnostics/diagnostic.ts"
import type { DescribedCommit } from "../history/described-commit.ts"
import type { Catalog, CatalogCell, CatalogFlag } from "./catalog.ts"
import { cellOf, doTheSame } from "./cell.ts"
import { readReached } from "./reached.ts"
import { sourceLinks } from "./source-links.ts"

/** What a catalogue is made of. */
export interface CatalogParts {
  readonly input: Input
  readonly compiled: CompiledFiles
  readonly specs: readonly SourceFile[]
  readonly history: readonly DescribedCommit[]
  /** The repository's address; `undefined`: no links. */
  readonly baseUrl: string | undefined
  readonly compileExpression: CompileExpression
}

/** Puts together all that the page shows. */
export async function assembleCatalog(parts: CatalogParts): Promise<Catalog> {
  const { project } = parts.input
  const { environments, attributes } = project
  const { revision, committedAt, times } = parts.compiled.history
  const live = environments.findLastIndex(({ name }) => project.protected.includes(name))
  const flags = await assembleFlags(parts)
  const conditions = flags
    .flatMap(({ cells }) => cells.flatMap(({ configuration }) => configuration?.rules ?? []))
    .map(parseCondition)
  return {
    project: project.name,
    projectId: project.id,
    environments,
    live: live === -1 ? environments.length - 1 : live,
    revision,
    asOf: timeText(committedAt ?? newestOf(times.values())),
    flags,
    attributes: attributes === undefined ? attributesIn(conditions) : [...attributes.values()],
    hasExpressions: conditions.some(hasExpression),
    history: parts.history,
    links: sourceLinks(parts.baseUrl, revision),
  }
}

async function assembleFlags({
  input,
  compiled,
  specs,
  compileExpression,
}: CatalogParts): Promise<readonly CatalogFlag[]> {
  const { project, repository } = input
  const prefix = repository.kind === "inside" ? repository.prefix : ""
  const entriesOf = createEntries(
    compiled,
    project.environments.map(({ name }) => name),
  )
  const flags = compiled.flags
    .toSorted((a, b) => compareText(a.version.key, b.version.key))
    .map((compiled) => ({ compiled, ...entriesOf(compiled) }))
  const reached = await readReached(
    specs,
    project,
    project.environments.map((_, at) => flags.flatMap(({ entries }) => entries[at] ?? [])),
    compileExpression,
  )
  return flags.map(({ compiled: { version, source, facts }, flag, entries }) => {
    const cells: CatalogCell[] = []
    for (const [at, entry] of entries.entries()) {
      const name = project.environments[at]?.name ?? ""
      const cell = cellOf(name, entry, facts.lines.get(name) ?? [], reached.of(name, entry))
      const before = cells.at(-1)
      cells.push({ ...cell, differs: before !== undefined && !doTheSame(before, cell) })
    }
    const { owner, tags, expires, links } = facts
    const path = prefix + pathFrom(project.folder, source.path)
    return { flag, owner, tags, expires, links, path, isTested: reached.tested.has(version.key), cells }
  })
}

/** Returns a flag and its entry in each environment, as SDKs get it. */
function createEntries(
  { history: { times } }: CompiledFiles,
  environments: readonly string[],
): (flag: CompiledFlag) => { readonly flag: Flag; readonly entries: readonly FlagEntry[] } {
  const timeText = createTimeText()
  return (compiled) => {
    const own = times.get(compiled.version.key)
    if (own === undefined) throw new Error(`the history has no times of the flag ${compiled.version.key}`)
    const [createdAt, updatedAt] = [timeText(own.createdAt), timeText(own.updatedAt)]
    const flag: Flag = { ...JSON.parse(compiled.flag), createdAt, updatedAt }
    const entries = environments.map((environment): FlagEntry => {
      const text = compiled.configurations.get(environment)
      if (text === undefined) return { flag, environment: null }
      const changedAt = timeText(own.configurations.get(environment) ?? own.updatedAt)
      return { flag, environment: { ...JSON.parse(text), updatedAt: changedAt } }
    })
    return { flag, entries }
  }
}

/** The newest change, in milliseconds since 1970, where no commit has a date. */
function newestOf(all: Iterable<FlagTimes>): number {
  const times = [...all].flatMap(({ updatedAt, configurations }) => [updatedAt, ...configurations.values()])
  return times.reduce((newest, time) => Math.max(newest, time), 0)
}

/** The attributes that conditions ask for, in whatever depth, sorted. */
function attributesIn(conditions: readonly ParsedCondition[]): readonly KnownAttribute[] {
  return [...new Set(conditions.flatMap(namesIn))]
    .sort()
    .map((name) => ({ name, type: undefined, description: "", values: undefined }))
}

function namesIn(parsed: ParsedCondition): readonly string[] {
  if (parsed.kind === "all" || parsed.kind === "any" || parsed.kind === "none")
    return parsed.parts.flatMap(namesIn)
  return parsed.condition.attribute === "" ? [] : [parsed.condition.attribute]
}
