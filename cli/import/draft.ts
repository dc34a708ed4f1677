import { dirname, join } from "node:path"
import type { Diagnostic, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import { phrase } from "../diagnostics/phrase.ts"
import { relativePath } from "../diagnostics/relative-path.ts"
import { reachesOf } from "../flag/reach.ts"
import { always } from "../language/condition.ts"
import type { Flag } from "../language/flag.ts"
import type { KnownAttributes } from "../language/known-attributes.ts"
import { flagKeyPattern } from "../language/names.ts"
import type { CheckDrafts } from "../project/check-drafts.ts"
import { type Configuration, type ImportedFlag, type Remark, toCaller } from "./form/form.ts"
import { isWritable, verdictOf } from "./form/losses.ts"
import type { Node } from "./form/tree.ts"
import { expression } from "./meaning/expression.ts"
import { type NamedSegment, segmentsIn } from "./name-segments.ts"
import { flagText, segmentText } from "./write-flag.ts"

/** A flag's file, and its `key:` where the file name cannot be the key. */
interface Placed {
  readonly path: string
  readonly key: string | undefined
}

/** Names that are reserved on Windows or by Flagstone. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|project|invariants)(?:\.|$)|\.(?:segment|spec)$|\.$/i

/** Gives each flag key a file. No two paths differ only in case, because some file systems ignore case. */
function placeFiles(keys: readonly string[], folder: string): ReadonlyMap<string, Placed> {
  const taken = new Set<string>()
  return new Map(
    keys
      .filter((key) => flagKeyPattern.test(key))
      .map((key): [string, Placed] => {
        const parts = key
          .split("/")
          .map((part) => (part === "" || reserved.test(part) || part.startsWith(".") ? `_${part}_` : part))
        const base = parts.join("/").slice(0, 150)
        let name = base
        for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${base}-${number}`
        taken.add(name.toLowerCase())
        return [
          key,
          { path: join(folder, `${name}.yaml`), key: name === key && !key.includes("/") ? undefined : key },
        ]
      }),
  )
}

/** The project that flags are imported into. */
export interface Destination {
  /** Absolute path of the flags folder. */
  readonly folder: string
  readonly attributes: KnownAttributes
  readonly check: CheckDrafts
}

/** Flag files and segment files in memory. */
export interface Drafts {
  readonly segments: readonly DraftedSegment[]
  /** In the order of the flags. */
  readonly flags: readonly DraftedFlag[]
}

/** A segment and its file. */
export interface DraftedSegment {
  readonly name: string
  readonly source: SourceFile
}

/** A flag and its file. */
export interface DraftedFlag {
  readonly flag: ImportedFlag
  readonly source: SourceFile
  /** What the file gives; `undefined` if that is no flag. */
  readonly resolved: Flag | undefined
  /** For each of the flag's configurations, the errors that can only be fixed in the other tool or in project.yaml. */
  readonly errors: readonly (readonly PlacedError[])[]
}

/** What lint says, and the place in the source. */
export interface PlacedError {
  readonly message: string
  readonly node: Node
}

/** Lint's codes for rules that can be removed without changing any value, with the remark on each. */
const superfluous = new Map([
  ["unreachable-rule", "a rule that no one reaches is left out"],
  ["rule-without-effect", "a rule that changes nothing is left out"],
  ["duplicate-rule", "a rule that appears twice is left out"],
])

const sameAsOff = "it is on, but returns its off value to everyone, so it is written with `enabled: false`"

/** Each round removes rules. */
const mostRounds = 20

/** The comment that tells editors which schema checks and completes a file. */
function schemaLine(kind: "flag" | "segment", path: string, folder: string): string {
  const up = relativePath(dirname(path), folder)
  return `# yaml-language-server: $schema=${up === "" ? "." : up}/${kind}.schema.json\n`
}

/** A flag and its file. */
interface Draft extends Pick<DraftedFlag, "flag" | "source"> {
  /** On the rules that have been removed. */
  readonly remarks: readonly Remark[]
}

/** A draft, what it means, and what lint reports about it. */
interface LintedDraft extends Draft, Pick<DraftedFlag, "resolved"> {
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Makes the files of flags, which may depend on each other, without the rules that lint reports as superfluous. Adds its
 * remarks in the order of the flags.
 */
export async function draftFlags(
  all: readonly ImportedFlag[],
  named: readonly NamedSegment[],
  { folder, check }: Destination,
  remarks: Remark[],
): Promise<Drafts> {
  const keys = all.map(({ key }) => key)
  const places = placeFiles(keys, folder)
  const draftOf = (flag: ImportedFlag, remarks: readonly Remark[]): Draft => {
    const { path = "", key } = places.get(flag.key) ?? {}
    return {
      flag,
      source: { path, text: `${schemaLine("flag", path, folder)}${flagText(flag, key)}` },
      remarks,
    }
  }
  const segments = usedSegments(all, named).map(({ name, condition, description }): DraftedSegment => {
    const path = join(folder, "segments", `${name}.segment.yaml`)
    const text = `${schemaLine("segment", path, folder)}${segmentText(condition, description)}`
    return { name, source: { path, text } }
  })
  const segmentSources = segments.map(({ source }) => source)
  const errorsOf = new Map<string, readonly Diagnostic[]>()
  const linted = new Map<string, LintedDraft>()
  let next = all.map((flag) => draftOf(flag, []))
  for (let round = 0; next.length > 0; round++) {
    for (const { flag } of next) linted.delete(flag.key)
    const others = [...linted.values()].map(({ source }) => source)
    const { drafts, found } = await lint(next, [...segmentSources, ...others], check)
    for (const { name, source } of segments)
      errorsOf.set(name, (found.get(source.path) ?? []).filter(isError))
    for (const draft of drafts) linted.set(draft.flag.key, draft)
    next = round < mostRounds ? drafts.flatMap((draft) => withoutRules(draft, draftOf) ?? []) : []
  }
  const flags = all.flatMap(({ key }) => {
    const draft = linted.get(key)
    if (draft === undefined) return []
    const errors = draft.flag.configurations.map((one) => {
      const used = usedSegments([{ configurations: [one] }], named)
      const ofSegments = used.flatMap(({ name }) => errorsOf.get(name) ?? [])
      return [...errorsIn(one, draft), ...ofSegments.map(({ message }) => ({ message, node: one.node }))]
    })
    return finish(draft, errors, remarks)
  })
  return { segments, flags }
}

/** Checks drafts next to other files. What is found is by path. */
async function lint(drafts: readonly Draft[], others: readonly SourceFile[], check: CheckDrafts) {
  const sources = drafts.map(({ source }) => source)
  const paths = new Set(sources.map(({ path }) => path))
  const { flags, diagnostics } = await check([...others, ...sources], ({ path }) => paths.has(path))
  const found = Map.groupBy(diagnostics, ({ location }) => location.source.path)
  const byPath = new Map(flags.map((flag) => [flag.source.path, flag]))
  return {
    drafts: drafts.map((draft): LintedDraft => {
      const { path } = draft.source
      return { ...draft, resolved: byPath.get(path), diagnostics: found.get(path) ?? [] }
    }),
    found,
  }
}

/** The flag with its errors. */
function finish(
  { flag, source, resolved, ...draft }: LintedDraft,
  errors: DraftedFlag["errors"],
  remarks: Remark[],
): DraftedFlag {
  remarks.push(...draft.remarks)
  for (const { node, environment, enabled, off, losses } of flag.configurations) {
    const isOff = enabled && resolved?.configurations.get(environment)?.enabled === false
    if (isOff && off?.kind === "value" && isWritable(verdictOf(losses)))
      remarks.push({ node, flag: flag.key, environment, text: sameAsOff })
  }
  return { flag, source, resolved, errors }
}

/** The errors in a configuration, each at its rule, and those outside all configurations. */
function errorsIn(
  { environment, guards, node }: Configuration,
  { resolved, diagnostics }: LintedDraft,
): readonly PlacedError[] {
  const all = [...(resolved?.configurations.values() ?? [])]
  const items = resolved?.configurations.get(environment)?.items ?? []
  return diagnostics
    .filter(isError)
    .filter((error) => all.every((one) => one.environment === environment || !isWithin(error, one.node)))
    .map((error) => {
      const guard = guards[items.findIndex((item) => isWithin(error, item.node))]
      return { message: error.message, node: guard?.node ?? node }
    })
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error"
}

function isWithin({ location: { span } }: Diagnostic, { start, end }: Span): boolean {
  return start <= span.start && span.end <= end
}

/** The segments that flags use, directly or through other segments. */
export function usedSegments(
  flags: readonly Pick<ImportedFlag, "configurations">[],
  segments: readonly NamedSegment[],
): readonly NamedSegment[] {
  const guards = flags.flatMap(({ configurations }) => configurations.flatMap((one) => one.guards))
  const names = new Set(guards.flatMap(({ when }) => segmentsIn(when)))
  const byName = new Map(segments.map((one) => [one.name, one.condition]))
  for (const name of names) for (const inner of segmentsIn(byName.get(name) ?? always)) names.add(inner)
  return segments.filter(({ name }) => names.has(name))
}

/** Whether lint warns about a rule that takes effect only if an attribute is a list. */
function isByLists({ code, severity }: Diagnostic): boolean {
  return code === "unreachable-rule" && severity === "warning"
}

/**
 * For each guard, the positions of its rules, and the first diagnostic about it. A split is one guard. The last entry may be the
 * rule for everyone else.
 */
function rulesOf(
  { environment }: Configuration,
  { configurations }: Flag,
  found: readonly Diagnostic[],
): readonly { readonly positions: readonly number[]; readonly said: Diagnostic | undefined }[] {
  const rules = configurations.get(environment)?.rules ?? []
  let position = 0
  return [...Map.groupBy(rules, ({ item }) => item.node)].map(([node, own]) => ({
    positions: own.map(() => position++),
    said: found.find((one) => isWithin(one, node)),
  }))
}

/** The draft without the rules that lint reports as superfluous; `undefined` if there are none. */
function withoutRules(
  { flag, resolved, diagnostics, ...draft }: LintedDraft,
  draftOf: (flag: ImportedFlag, remarks: readonly Remark[]) => Draft,
): Draft | undefined {
  const found = diagnostics.filter((one) => superfluous.has(one.code) && !isByLists(one))
  if (resolved === undefined || found.length === 0) return undefined
  const remarks = [...draft.remarks]
  const configurations = flag.configurations.map((one) => {
    const rules = rulesOf(one, resolved, found)
    const conditions = resolved.configurations.get(one.environment)?.rules.map(({ condition }) => condition)
    const isReached = (at: number) =>
      reachesOf(resolved, conditions ?? [], expression)[at]?.kind !== "unreachable"
    let idle = 0
    const guards = one.guards.filter(({ node, gives, isImplied }, index) => {
      const { positions, said } = rules[index] ?? {}
      // Lint may report one share of a split while contexts reach others.
      if (said === undefined || (gives.kind === "split" && positions?.some(isReached))) return true
      // Of two rules that give the same, each is superfluous only while the other is there.
      if (said.code === "rule-without-effect" && ++idle > 1) return true
      const text = superfluous.get(said.code) ?? said.code
      const detail = phrase`rule ${index + 1}`
      if (isImplied !== true)
        remarks.push({ node, flag: flag.key, environment: one.environment, text, detail })
      return false
    })
    const isForNoOne = rules[one.guards.length]?.said !== undefined
    return { ...one, guards, otherwise: isForNoOne ? toCaller : one.otherwise }
  })
  const isSmaller = configurations.some(({ guards, otherwise }, index) => {
    const before = flag.configurations[index]
    return before !== undefined && (guards.length < before.guards.length || otherwise !== before.otherwise)
  })
  return isSmaller ? draftOf({ ...flag, configurations }, remarks) : undefined
}
