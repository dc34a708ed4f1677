import { join } from "node:path"
import type { FlagEntry } from "../../proxy/contract/snapshot.ts"
import { advise } from "../compile/checks/advice.ts"
import { checkFiles } from "../compile/checks/check-files.ts"
import type { DefinedConfiguration, Definition } from "../compile/definition/definition.ts"
import type { Project } from "../compile/definition/project.ts"
import { resolveFlag } from "../compile/meaning/resolve.ts"
import { timelessEntry } from "../compile/meaning/timeless-entry.ts"
import { type UsedAttribute, usedAttributes } from "../compile/meaning/used-attributes.ts"
import { segmentNameOf } from "../compile/read/file-names.ts"
import { compareText, createReport, type Diagnostic, type SourceFile } from "../diagnostics/diagnostic.ts"
import type { ImportedFlag, Remark } from "./form/form.ts"
import { type NamedSegment, segmentsIn } from "./name-segments.ts"
import { placeFiles } from "./place-files.ts"
import { flagText, segmentText } from "./write-flag.ts"

/** The files of an import, and what lint has against them. */
export interface Draft {
  readonly flags: readonly DraftedFlag[]
  readonly segmentSources: readonly SourceFile[]
  /** The attributes that occur, as in `project.yaml`. */
  readonly attributes: readonly UsedAttribute[]
  readonly remarks: readonly Remark[]
}

/** A flag as it is written. */
export interface DraftedFlag {
  readonly flag: ImportedFlag
  readonly source: SourceFile
  /** As snapshots have it, by environment. */
  readonly entries: ReadonlyMap<string, FlagEntry>
  /** Errors, which nobody but the other tool or project.yaml can solve. */
  readonly errors: readonly string[]
}

/** What lint says of rules that can go: without them the flag gives everyone the same. */
const superfluous = ["unreachable-rule", "rule-without-effect", "duplicate-rule"]

/** More rounds find nothing: each takes rules out, and few files have such rules at all. */
const mostRounds = 20

/** Flags that are parsed at a time: their trees are larger than all that is made of them. */
const atOnce = 500

/** A flag with its file, and what lint has against that. */
interface Linted {
  readonly flag: ImportedFlag
  readonly source: SourceFile
  readonly definition: Definition | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Writes the files in memory, and takes out the rules that lint would complain about. */
export function draftFiles(
  all: readonly ImportedFlag[],
  segments: readonly NamedSegment[],
  project: Project,
  now: number,
): Draft {
  const places = placeFiles(
    all.map(({ key }) => key),
    project.folder,
  )
  const remarks: Remark[] = []
  const segmentSources = usedSegments(all, segments).map(({ name, condition, description }) => ({
    path: join(project.folder, "segments", `${name}.segment.yaml`),
    text: segmentText(condition, description),
  }))
  const lint = (flags: readonly ImportedFlag[]) => {
    const sources = flags.map((flag) => {
      const place = places.get(flag.key)
      return { path: place?.path ?? "", text: flagText(flag, place?.key) }
    })
    const report = createReport()
    const checked = checkFiles([...segmentSources, ...sources], project, report)
    advise(checked, project, now, report)
    const found = Map.groupBy(report.diagnostics, ({ location }) => location.source.path)
    const definitions = new Map(checked.definitions.map((one) => [one.source.path, one]))
    const linted = flags.flatMap((flag, at): readonly Linted[] => {
      const source = sources[at]
      if (source === undefined) return []
      return [
        { flag, source, definition: definitions.get(source.path), diagnostics: found.get(source.path) ?? [] },
      ]
    })
    return { linted, found, segments: checked.segments }
  }
  const uses: UsedAttribute[][] = []
  const draft = (flags: readonly ImportedFlag[]): readonly DraftedFlag[] => {
    const first = lint(flags)
    const byKey = new Map(first.linted.map((one) => [one.flag.key, one]))
    let pending: readonly Linted[] = first.linted
    for (let round = 1; round < mostRounds && pending.length > 0; round++) {
      const smaller = pending.flatMap((one) => withoutRules(one, remarks) ?? [])
      pending = smaller.length === 0 ? [] : lint(smaller).linted
      for (const one of pending) byKey.set(one.flag.key, one)
    }
    const definitions = [...byKey.values()].flatMap(({ definition }) => definition ?? [])
    uses.push([...usedAttributes(definitions, new Map(first.segments.map((one) => [one.name, one])))])
    const faults = segmentSources.filter(({ path }) => (first.found.get(path) ?? []).some(isError))
    return [...byKey.values()].map((one) => ({
      flag: one.flag,
      source: one.source,
      entries: entriesOf(one, project),
      errors: errorsOf(one, faults, segments, first.found),
    }))
  }
  const parts = Array.from({ length: Math.ceil(all.length / atOnce) }, (_, at) =>
    all.slice(at * atOnce, (at + 1) * atOnce),
  )
  const flags = parts.flatMap(draft)
  const attributes = [...new Map(uses.flat().map((one) => [one.name, one])).values()]
  return {
    flags,
    segmentSources,
    remarks,
    attributes: attributes.toSorted((a, b) => compareText(a.name, b.name)),
  }
}

function entriesOf({ flag, definition }: Linted, project: Project): ReadonlyMap<string, FlagEntry> {
  if (definition === undefined) return new Map()
  const resolved = resolveFlag(definition, project)
  return new Map(
    flag.configurations.map(({ environment }) => [environment, timelessEntry(resolved, environment)]),
  )
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error"
}

/** The segments that flags use, those that segments use included. */
export function usedSegments(
  flags: readonly ImportedFlag[],
  segments: readonly NamedSegment[],
): readonly NamedSegment[] {
  const names = new Set(flags.flatMap(segmentsOfFlag))
  const byName = new Map(segments.map((one) => [one.name, one]))
  for (const name of names)
    for (const inner of segmentsIn(byName.get(name)?.condition ?? { kind: "always" })) names.add(inner)
  return segments.filter(({ name }) => names.has(name))
}

function segmentsOfFlag({ configurations }: ImportedFlag): readonly string[] {
  return configurations.flatMap(({ guards }) => guards.flatMap(({ when }) => segmentsIn(when)))
}

/** The flag without the rules that lint says are superfluous; `undefined` where there are none. */
function withoutRules(
  { flag, definition, diagnostics }: Linted,
  remarks: Remark[],
): ImportedFlag | undefined {
  const found = diagnostics.filter(({ code }) => superfluous.includes(code))
  let isChanged = false
  const configurations = flag.configurations.map((one) => {
    const rules = rulesOf(
      definition?.configurations.find(({ environment }) => environment === one.environment),
    )
    const at = new Map(
      found.flatMap((diagnostic) => {
        const { span } = diagnostic.location
        const index = rules.findIndex(({ start, end }) => start <= span.start && span.end <= end)
        return one.guards[index] === undefined ? [] : [[index, diagnostic] as const]
      }),
    )
    if (at.size === 0) return one
    isChanged = true
    for (const [index, { message }] of at) {
      const { node, isImplied } = one.guards[index] ?? {}
      const text = `rule ${index + 1} of \`${flag.key}\` in ${one.environment} is left out. ${message}`
      if (node && isImplied !== true) remarks.push({ node, text })
    }
    return { ...one, guards: one.guards.filter((_, index) => !at.has(index)) }
  })
  return isChanged ? { ...flag, configurations } : undefined
}

/** The places of the rules as they are written: a split is one. */
function rulesOf(configuration: DefinedConfiguration | undefined) {
  return [...new Set((configuration?.rules ?? []).map(({ node, split }) => split?.node ?? node))]
}

/** What is wrong in the flag's file, and in the segments that it uses. */
function errorsOf(
  { flag, diagnostics }: Linted,
  faults: readonly SourceFile[],
  segments: readonly NamedSegment[],
  found: ReadonlyMap<string, readonly Diagnostic[]>,
): readonly string[] {
  const names = faults.length === 0 ? [] : usedSegments([flag], segments).map(({ name }) => name)
  const inSegments = faults
    .filter(({ path }) => names.includes(segmentNameOf(path)))
    .flatMap(({ path }) => found.get(path) ?? [])
  return [...diagnostics, ...inSegments].filter(isError).map(({ message }) => message)
}
