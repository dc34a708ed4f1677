import { join } from "node:path"
import { advise } from "../compile/checks/advice.ts"
import { checkFiles } from "../compile/checks/check-files.ts"
import type { DefinedConfiguration, DefinedSegment, Definition } from "../compile/definition/definition.ts"
import type { Project } from "../compile/definition/project.ts"
import { segmentNameOf } from "../compile/read/file-names.ts"
import { createReport, type Diagnostic, type SourceFile } from "../diagnostics/diagnostic.ts"
import type { ImportedFlag, Remark } from "./form.ts"
import { type NamedSegment, segmentsIn } from "./name-segments.ts"
import { placeFiles } from "./place-files.ts"
import { flagText, segmentText } from "./write-flag.ts"

/** The files of an import, and what lint has against them. */
export interface Draft {
  readonly flags: readonly ImportedFlag[]
  readonly sources: readonly SourceFile[]
  readonly definitions: readonly Definition[]
  readonly segments: readonly DefinedSegment[]
  readonly remarks: readonly Remark[]
  /** By flag key: errors, which nobody but the other tool can solve. */
  readonly errors: ReadonlyMap<string, readonly string[]>
}

/** What lint says of rules that can go: without them the flag gives everyone the same. */
const superfluous = ["unreachable-rule", "rule-without-effect", "duplicate-rule"]

/** More rounds find nothing: each takes rules out, and few files have such rules at all. */
const mostRounds = 20

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
  const pathOf = ({ key }: ImportedFlag) => places.get(key)?.path ?? ""
  const keyOf = new Map(all.map((flag) => [pathOf(flag), flag.key]))
  const remarks: Remark[] = []
  let flags = all
  for (let round = 1; ; round++) {
    const used = usedSegments(flags, segments)
    const sources = [
      ...used.map(({ name, condition, description }) => ({
        path: join(project.folder, "segments", `${name}.segment.yaml`),
        text: segmentText(condition, description),
      })),
      ...flags.map((flag) => ({ path: pathOf(flag), text: flagText(flag, places.get(flag.key)?.key) })),
    ]
    const report = createReport()
    const checked = checkFiles(sources, project, report)
    advise(checked, project, now, report)
    const byPath = Map.groupBy(report.diagnostics, ({ location }) => location.source.path)
    const definitions = new Map(checked.definitions.map((one) => [one.source.path, one]))
    let isChanged = false
    const next = flags.map((flag) => {
      const found = (byPath.get(pathOf(flag)) ?? []).filter(({ code }) => superfluous.includes(code))
      const definition = definitions.get(pathOf(flag))
      const smaller = definition && found.length > 0 ? withoutRules(flag, definition, found, remarks) : flag
      isChanged ||= smaller !== flag
      return smaller
    })
    if (isChanged && round < mostRounds) {
      flags = next
      continue
    }
    const errors = report.diagnostics.filter(({ severity }) => severity === "error")
    return {
      flags,
      sources,
      definitions: checked.definitions,
      segments: checked.segments,
      remarks,
      errors: errorsOf(errors, keyOf, flags, used),
    }
  }
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

/** The flag without the rules that the diagnostics point at. */
function withoutRules(
  flag: ImportedFlag,
  { configurations: defined }: Definition,
  found: readonly Diagnostic[],
  remarks: Remark[],
): ImportedFlag {
  let isChanged = false
  const configurations = flag.configurations.map((one) => {
    const rules = rulesOf(defined.find(({ environment }) => environment === one.environment))
    const at = new Map(
      found.flatMap((diagnostic) => {
        const index = rules.findIndex(
          ({ start, end }) => start <= diagnostic.location.span.start && diagnostic.location.span.end <= end,
        )
        return one.guards[index] === undefined ? [] : [[index, diagnostic] as const]
      }),
    )
    if (at.size === 0) return one
    isChanged = true
    for (const [index, { message }] of at) {
      const { node, isImplied } = one.guards[index] ?? {}
      if (node && isImplied !== true)
        remarks.push({
          node,
          text: `rule ${index + 1} of \`${flag.key}\` in ${one.environment} is left out. ${message}`,
        })
    }
    return { ...one, guards: one.guards.filter((_, index) => !at.has(index)) }
  })
  return isChanged ? { ...flag, configurations } : flag
}

/** The places of the rules as they are written: a split is one. */
function rulesOf(configuration: DefinedConfiguration | undefined) {
  return [...new Set((configuration?.rules ?? []).map(({ node, split }) => split?.node ?? node))]
}

function errorsOf(
  errors: readonly Diagnostic[],
  keyOf: ReadonlyMap<string, string>,
  flags: readonly ImportedFlag[],
  segments: readonly NamedSegment[],
): ReadonlyMap<string, readonly string[]> {
  const byKey = new Map<string, string[]>()
  const add = (key: string, message: string) => byKey.set(key, [...(byKey.get(key) ?? []), message])
  for (const { message, location } of errors) {
    const key = keyOf.get(location.source.path)
    if (key !== undefined) add(key, message)
    else
      for (const flag of flags) {
        const used = usedSegments([flag], segments)
        if (used.some(({ name }) => name === segmentNameOf(location.source.path))) add(flag.key, message)
      }
  }
  return byKey
}
