import { join } from "node:path"
import type { FlagEntry } from "../../proxy/contract/snapshot.ts"
import { checkSegmentFiles } from "../compile/checks/check-segment-files.ts"
import { checkFlag } from "../compile/checks/checks.ts"
import { rulesHaveEffect } from "../compile/checks/rules-have-effect.ts"
import type { Definition } from "../compile/definition/definition.ts"
import type { Project } from "../compile/definition/project.ts"
import { createValidator } from "../compile/definition/validate.ts"
import { withFlags } from "../compile/meaning/other-flags.ts"
import { resolveFlag } from "../compile/meaning/resolve.ts"
import { timelessEntry } from "../compile/meaning/timeless-entry.ts"
import { segmentNameOf } from "../compile/read/file-names.ts"
import { refuseLarge } from "../compile/read/read-source.ts"
import { parseSource } from "../compile/yaml/parse.ts"
import { createReport, type Diagnostic, type SourceFile } from "../diagnostics/diagnostic.ts"
import { always } from "../language/condition.ts"
import { phrase } from "../phrases/phrase.ts"
import { startCoverage } from "../specs/coverage.ts"
import type { Configuration, ImportedFlag, Remark } from "./form/form.ts"
import { isWritable, verdictOf } from "./form/losses.ts"
import { expression } from "./meaning/expression.ts"
import { type NamedSegment, segmentsIn } from "./name-segments.ts"
import { placeFiles } from "./place-files.ts"
import { asSwitchedOn } from "./sides.ts"
import { flagText, segmentText } from "./write-flag.ts"

/** Makes flag files in memory. */
export interface Drafts {
  readonly segmentSources: readonly SourceFile[]
  /** A flag with its file, without the rules that lint reports as superfluous. */
  readonly draft: (flag: ImportedFlag) => DraftedFlag
}

/** A flag and its file. */
export interface DraftedFlag {
  readonly flag: ImportedFlag
  readonly source: SourceFile
  /** As in snapshots, by environment. */
  readonly entries: ReadonlyMap<string, FlagEntry>
  /** Errors that can only be fixed in the other tool or in project.yaml. */
  readonly errors: readonly string[]
}

/** Lint's codes for rules that can be removed without changing any value, with the remark on each. */
const superfluous = new Map([
  ["unreachable-rule", "a rule that no one reaches is left out"],
  ["rule-without-effect", "a rule that changes nothing is left out"],
  ["duplicate-rule", "a rule that appears twice is left out"],
])

const warned = "lint will warn about a rule that only users with several values of an attribute reach"

const sameAsOff = "it is on, but returns its off value to everyone, so it is written with `enabled: false`"

/** Each round removes rules. */
const mostRounds = 20

/** A flag with its file, and what lint reports about it. */
interface Linted extends Pick<DraftedFlag, "flag" | "source"> {
  readonly definition: Definition | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** `all`: the flags that are written; they may depend on each other. */
export function createDrafts(
  all: readonly ImportedFlag[],
  named: readonly NamedSegment[],
  project: Project,
  remarks: Remark[],
): Drafts {
  const keys = all.map(({ key }) => key)
  const places = placeFiles(keys, project.folder)
  const sourceOf = (flag: ImportedFlag): SourceFile => {
    const { path = "", key } = places.get(flag.key) ?? {}
    return { path, text: flagText(flag, key) }
  }
  const sources = new Map(all.map((flag) => [flag, sourceOf(flag)]))
  const segmentSources = usedSegments(all, named).map(({ name, condition, description }) => ({
    path: join(project.folder, "segments", `${name}.segment.yaml`),
    text: segmentText(condition, description),
  }))
  const inSegments = createReport()
  for (const source of segmentSources) refuseLarge(source, inSegments)
  const { segments: closed } = checkSegmentFiles(segmentSources, project, inSegments)
  const wrong = inSegments.diagnostics.filter(isError)
  const faults = Map.groupBy(wrong, ({ location }) => segmentNameOf(location.source.path))
  const validate = createValidator(project, withFlags(closed, [...sources.values()]))

  function lint(flag: ImportedFlag): Linted {
    const source = sources.get(flag) ?? sourceOf(flag)
    const report = createReport()
    refuseLarge(source, report)
    const tree = parseSource(source, report)
    const definition = tree && validate(tree, report)
    if (definition !== undefined) checkFlag(definition, project, report)
    if (definition !== undefined && !report.hasErrors) rulesHaveEffect(definition, project, report)
    return { flag, source, definition, diagnostics: report.diagnostics }
  }

  function drafted({ flag, source, definition, diagnostics }: Linted): DraftedFlag {
    const ofSegments = faults.size === 0 ? [] : usedSegments([flag], named).map(({ name }) => name)
    const errors = [...diagnostics.filter(isError), ...ofSegments.flatMap((name) => faults.get(name) ?? [])]
    const resolved = definition && resolveFlag(definition, project)
    const byLists = diagnostics.filter(isByLists)
    const entries = flag.configurations.flatMap((one) => {
      if (definition === undefined || resolved === undefined) return []
      const { node, environment, guards } = one
      const whose = { node, flag: flag.key, environment }
      const rules = byLists.length === 0 ? [] : rulesOf(one, definition, byLists)
      for (const [index, { said }] of rules.entries()) {
        const { node } = guards[index] ?? one
        if (said) remarks.push({ ...whose, node, text: warned, detail: phrase`rule ${index + 1}` })
      }
      const entry = timelessEntry(resolved, environment)
      const isOff = one.enabled && entry.environment?.enabled === false
      if (isOff && one.off?.kind === "value" && isWritable(verdictOf(one.losses)))
        remarks.push({ ...whose, text: sameAsOff })
      return [[environment, entry] as const]
    })
    return { flag, source, entries: new Map(entries), errors: errors.map(({ message }) => message) }
  }

  function draft(flag: ImportedFlag, round = 0): DraftedFlag {
    const linted = lint(flag)
    const smaller = round < mostRounds ? withoutRules(linted, project, remarks) : undefined
    return smaller === undefined ? drafted(linted) : draft(smaller, round + 1)
  }

  return { segmentSources, draft }
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error"
}

/** The segments that flags use, directly or through other segments. */
export function usedSegments(
  flags: readonly ImportedFlag[],
  segments: readonly NamedSegment[],
): readonly NamedSegment[] {
  const guards = flags.flatMap(({ configurations }) => configurations.flatMap((one) => one.guards))
  const names = new Set(guards.flatMap(({ when }) => segmentsIn(when)))
  const byName = new Map(segments.map((one) => [one.name, one.condition]))
  for (const name of names) for (const inner of segmentsIn(byName.get(name) ?? always)) names.add(inner)
  return segments.filter(({ name }) => names.has(name))
}

/** Whether lint warns about a rule that takes effect only where an attribute is a list. */
function isByLists({ code, severity }: Diagnostic): boolean {
  return code === "unreachable-rule" && severity === "warning"
}

/** For each guard, the positions of its rules, and the first diagnostic about it. A split is one guard. */
function rulesOf(
  { environment }: Configuration,
  { configurations }: Definition,
  found: readonly Diagnostic[],
): readonly { readonly positions: readonly number[]; readonly said: Diagnostic | undefined }[] {
  const written = configurations.find((one) => one.environment === environment)
  let position = 0
  return [...Map.groupBy(written?.rules ?? [], ({ node, split }) => split?.node ?? node)].map(
    ([{ start, end }, own]) => ({
      positions: own.map(() => position++),
      said: found.find(({ location: { span } }) => start <= span.start && span.end <= end),
    }),
  )
}

/** The flag without the rules that lint reports as superfluous; `undefined` if there are none. */
function withoutRules(
  { flag, definition, diagnostics }: Linted,
  project: Project,
  remarks: Remark[],
): ImportedFlag | undefined {
  const found = diagnostics.filter((one) => superfluous.has(one.code) && !isByLists(one))
  if (definition === undefined || found.length === 0) return undefined
  const resolved = resolveFlag(definition, project)
  const configurations = flag.configurations.map((one) => {
    const rules = rulesOf(one, definition, found)
    const outcomes = () =>
      startCoverage(expression).outcomesOf("", asSwitchedOn(timelessEntry(resolved, one.environment), one))
    const guards = one.guards.filter(({ node, gives, isImplied }, index) => {
      const { positions, said } = rules[index] ?? {}
      // Lint may report one share of a split while contexts reach others.
      if (
        said === undefined ||
        (gives.kind === "split" && outcomes().some(({ by }) => positions?.some((at) => at === by)))
      )
        return true
      const text = superfluous.get(said.code) ?? said.code
      const detail = phrase`rule ${index + 1}`
      if (isImplied !== true)
        remarks.push({ node, flag: flag.key, environment: one.environment, text, detail })
      return false
    })
    return { ...one, guards }
  })
  const isSmaller = configurations.some(
    ({ guards }, index) => guards.length < (flag.configurations[index]?.guards.length ?? 0),
  )
  return isSmaller ? { ...flag, configurations } : undefined
}
