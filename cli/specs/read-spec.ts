import type { Json } from "../../sdk/contract/snapshot.ts"
import type { Cause, Context } from "../../sdk/evaluation/evaluation.ts"
import type { Code } from "../diagnostics/codes.ts"
import type { Report, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { unknownAttributes } from "../evaluate/unknown-attributes.ts"
import type { FlagType } from "../language/flag-types.ts"
import type { KnownAttributes } from "../language/known-attributes.ts"
import { type MappingNode, type Member, memberOf, type Node, toValue, writtenText } from "../language/tree.ts"
import { expectMembers, specFileSchema } from "../reading/grammar/spec-schema.ts"
import { describe, unquoting } from "../reading/hints/quote.ts"
import { checkShape } from "../reading/shape.ts"
import { longestGuess } from "../yaml/longest-guess.ts"
import { parseSource } from "../yaml/parse.ts"
import { combine, mostContexts } from "./combine.ts"
import type { ExpectedAnswer, ExpectedShare, Spec, SpecCase } from "./spec.ts"

/** What a spec may refer to. */
export interface SpecNames {
  readonly environments: readonly string[]
  /** A flag's rules, in order, in an environment that exists. The arms of a split have one number. */
  readonly rulesOf: (
    flag: string,
    environment: string,
  ) => readonly { readonly number: number; readonly id: string }[]
  /** The flags without mistakes. */
  readonly flags: readonly string[]
  /** Whether there are no other flags; otherwise anything may be true of those. */
  readonly areAll: boolean
  readonly attributes: KnownAttributes
  readonly typeOf: (flag: string) => FlagType | undefined
  /** How many comparisons the rules of a flag have. */
  readonly comparisonsOf: (flag: string, environment: string) => number
}

const schema = specFileSchema()

/** Reads a spec file; `undefined`, with diagnostics, if it has mistakes. */
export function readSpec(source: SourceFile, known: SpecNames, report: Report): Spec | undefined {
  const before = report.diagnostics.length
  const file = parseSource(source, report)
  if (file === undefined) return undefined
  checkShape(file, schema, report)
  if (report.diagnostics.length > before || file.root.kind !== "mapping") return undefined
  const flag = memberOf(file.root, "flag")
  const cases = memberOf(file.root, "cases")?.value
  if (flag === undefined || cases?.kind !== "sequence") return undefined
  const key = String(toValue(flag.value))
  if (known.areAll && !known.flags.includes(key)) {
    const message = `No flag ${quoted(key)}${didYouMean(key, known.flags)}`
    report.add({ code: "bad-spec", message, source, span: flag.value })
    return undefined
  }
  const reading: Reading = {
    ...{ flag: key, source, known, spent: { contexts: 0, comparisons: 0 } },
    refuse(span, message, code = "bad-spec") {
      report.add({ code, message, source, span })
    },
  }
  const read = cases.items.flatMap((node) => (node.kind === "mapping" ? (readCase(node, reading) ?? []) : []))
  if (report.diagnostics.length > before) return undefined
  return { source, flag: key, cases: read }
}

/** The attributes of a case's contexts. */
function givenIn(node: Node): readonly Member[] {
  if (node.kind !== "mapping") return []
  return ["context", "matrix"].flatMap((part) => membersIn(memberOf(node, part)?.value))
}

/** What the cases of a spec are read with. */
interface Reading {
  readonly flag: string
  readonly source: SourceFile
  readonly known: SpecNames
  /** What the cases that have been read take. */
  readonly spent: { contexts: number; comparisons: number }
  readonly refuse: (span: Span, message: string, code?: Code) => undefined
}

function readCase(node: MappingNode, reading: Reading): SpecCase | undefined {
  const { source, known, refuse } = reading
  const environment = memberOf(node, "environment")
  const environments = environment ? [String(toValue(environment.value))] : known.environments
  const unknown = environments.find((name) => !known.environments.includes(name))
  if (environment !== undefined && unknown !== undefined) {
    const message = `Unknown environment ${quoted(unknown)}${didYouMean(unknown, known.environments)}`
    return refuse(environment.value, message, "unknown-environment")
  }
  const twice = givenTwice(node)
  if (twice !== undefined) return refuse(twice.span, twice.message)
  const slip = misspeltIn(node, known.attributes)
  if (slip !== undefined) return refuse(slip.span, slip.message, "unknown-attribute")
  const [expect, share] = [memberOf(node, "expect"), memberOf(node, "share")]
  const decisive = expect ?? share
  if (decisive === undefined || (expect !== undefined && share !== undefined))
    return refuse(firstOf(node), "A case needs either `expect` or `share`. Write one of them.")
  const expected =
    expect === undefined
      ? readShare(node, decisive.value, environments, reading)
      : readAnswer(node, expect.value, environments, reading)
  return (
    expected && {
      name: textOf(memberOf(node, "name")),
      environments,
      location: { source, span: firstOf(node) },
      span: decisive.value,
      expected,
    }
  )
}

/**
 * The first attribute of `context` whose value there has no effect, because each of the case's contexts has another. The place
 * is what varies it: an alias may share the `context` with a case where it is right.
 */
function givenTwice(node: MappingNode): { readonly span: Span; readonly message: string } | undefined {
  const given = membersIn(memberOf(node, "context")?.value)
  const varying = ["matrix", "share"].flatMap((part) => memberOf(node, part) ?? [])
  for (const { name: part, nameSpan, value } of varying) {
    const members = membersIn(value)
    const by = textOf(members.find(({ name }) => name === "by"))
    const varied = new Set(part === "share" ? [by] : members.map(({ name }) => name))
    const twice = given.find(({ name }) => varied.has(name))
    if (twice === undefined) continue
    const message = `\`${part}\` gives ${quoted(twice.name)} its values, so the one in \`context\` has no effect. Give this case a \`context\` without it.`
    return { span: nameSpan, message }
  }
  return undefined
}

/** The first attribute whose name is close to one that the project lists: no rule compares it, so its case would pass for nothing. */
function misspeltIn(node: MappingNode, attributes: KnownAttributes) {
  const ofContext = givenIn(node)
  const by = membersIn(memberOf(node, "share")?.value).flatMap(({ name, value }) =>
    name === "by" ? (writtenText(value) ?? []) : [],
  )
  const names = [...ofContext.map(({ name, nameSpan }) => ({ text: name, span: nameSpan })), ...by]
  const slips = names.flatMap(({ text, span }) =>
    unknownAttributes([text], attributes).map((slip) => ({ span, message: `U${slip.slice(1)}` })),
  )
  return slips[0]
}

function readAnswer(
  node: MappingNode,
  expect: Node,
  environments: readonly string[],
  reading: Reading,
): ExpectedAnswer | undefined {
  const { refuse } = reading
  const contexts = readContexts(node, environments, reading)
  if (contexts === undefined) return undefined
  const long = longFormOf(expect)
  if (long === undefined)
    return hasType(expect, reading) ? { kind: "answer", contexts, value: toValue(expect) } : undefined
  const [value, rule, cause] = expectMembers.map((name) => memberOf(long, name)?.value)
  if (value !== undefined && !hasType(value, reading)) return undefined
  const names: readonly string[] = causes
  if (cause !== undefined && !names.includes(String(toValue(cause)))) {
    const given = String(toValue(cause))
    return refuse(cause, `Unknown cause ${quoted(given)}${didYouMean(given, names)}`)
  }
  if (rule !== undefined && !isKnownRule(toValue(rule), environments, reading))
    return refuse(rule, unknownRule(toValue(rule), environments, reading))
  return {
    ...{ kind: "answer", contexts },
    ...(value && { value: toValue(value) }),
    ...(rule && { rule: toValue(rule) as number | string }),
    ...(cause && { cause: toValue(cause) as ExpectedAnswer["cause"] & string }),
  }
}

/** Whether the flag can give a value; otherwise says that it cannot. */
function hasType(node: Node, { flag, known, refuse }: Reading): boolean {
  const type = known.typeOf(flag)
  if (type === undefined || type === "json" || typeof toValue(node) === type) return true
  const advice = type === "string" ? "" : unquoting(node, type)
  refuse(node, `${quoted(flag)} is of type ${type}; this is ${describe(node)}.${advice}`)
  return false
}

/** The contexts of a case: its `context` with every combination of its `matrix`. */
function readContexts(
  node: MappingNode,
  environments: readonly string[],
  { spent, refuse }: Reading,
): ExpectedAnswer["contexts"] | undefined {
  const matrix = memberOf(node, "matrix")
  const axes = membersIn(matrix?.value)
  for (const { nameSpan, name, value } of axes) {
    if (value.kind === "sequence" && value.items.length > 0) continue
    return refuse(nameSpan, `\`${name}\` needs a list of values to try, such as \`[a, b]\`.`)
  }
  const count = axes.reduce((n, { value }) => n * (value.kind === "sequence" ? value.items.length : 1), 1)
  spent.contexts += count * environments.length
  if (spent.contexts > mostContexts)
    return refuse(
      matrix?.nameSpan ?? firstOf(node),
      `A spec may have at most ${mostContexts} combinations, but this one has more. Remove values or attributes from \`matrix\`, or split the spec.`,
    )
  return combine(contextOf(node), axes)
}

function isKnownRule(rule: Json, environments: readonly string[], { flag, known }: Reading): boolean {
  if (!known.flags.includes(flag)) return true
  return environments.every((environment) => {
    const rules = known.rulesOf(flag, environment)
    return rules.some(({ number, id }) => (typeof rule === "number" ? number === rule : id === String(rule)))
  })
}

function unknownRule(rule: Json, environments: readonly string[], { flag, known }: Reading): string {
  const counts = environments.map(
    (environment) => `${known.rulesOf(flag, environment).at(-1)?.number ?? 0} in \`${environment}\``,
  )
  return `No rule ${quoted(String(rule))}: ${quoted(flag)} has ${counts.join(", ")}. Write a rule's number, counted from 1, or its id.`
}

function readShare(
  node: MappingNode,
  share: Node,
  environments: readonly string[],
  reading: Reading,
): ExpectedShare | undefined {
  const { flag, known, spent, refuse } = reading
  if (share.kind !== "mapping") return undefined
  const matrix = memberOf(node, "matrix")
  if (matrix !== undefined)
    return refuse(matrix.nameSpan, "`share` generates its own contexts. Remove `matrix`, or write `expect`.")
  const [of, is, value] = ["of", "is", "value"].map((name) => memberOf(share, name)?.value)
  const ids = of === undefined ? usualIds : toValue(of)
  if (of !== undefined && !isCount(ids))
    return refuse(of, `\`of\` must be a whole number from 1 to ${mostIds}.`)
  if (spent.comparisons > mostComparisons) return undefined // said once, of the share that was too much
  for (const environment of environments)
    spent.comparisons += Number(ids) * (1 + known.comparisonsOf(flag, environment))
  if (spent.comparisons > mostComparisons) {
    const message = `The shares of a spec may take at most ${mostComparisons} comparisons, one per id and comparison in the flag's rules, but up to here they take ${spent.comparisons}. Reduce \`of\`, name one \`environment\`, or split the spec.`
    return refuse(of ?? share, message)
  }
  const wanted = parseShare(is === undefined ? null : toValue(is))
  if (is === undefined || value === undefined || !hasType(value, reading)) return undefined
  if (wanted === undefined) return refuse(is, "Write a percentage and its tolerance, such as `10 ± 1`.")
  return {
    kind: "share",
    context: contextOf(node),
    by: textOf(memberOf(share, "by")) ?? "",
    of: Number(ids),
    value: toValue(value),
    ...wanted,
  }
}

/** Every cause that a value can have. */
const causes = [
  "rule",
  "share",
  "always",
  "default",
  "disabled",
  "unconfigured",
] as const satisfies readonly Cause[]

const usualIds = 10_000
const mostIds = 100_000

/** These take about 2 s. */
const mostComparisons = 50_000_000

function isCount(value: Json): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= mostIds
}

/** `10`, `10 ± 1`, `10 +- 1`, in percent; `undefined` for anything else. */
function parseShare(value: Json): { readonly is: number; readonly tolerance: number } | undefined {
  const text = String(value)
  if (text.length > longestGuess) return undefined
  const [, is, tolerance = "0"] =
    /^\s*(\d+(?:\.\d+)?)\s*%?\s*(?:(?:±|\+\/?-)\s*(\d+(?:\.\d+)?)\s*%?\s*)?$/.exec(text) ?? []
  return is === undefined || Number(is) > 100 ? undefined : { is: Number(is), tolerance: Number(tolerance) }
}

/** A mapping with only `value`, `rule` and `cause`; `undefined` for any other value of a flag. */
function longFormOf(expect: Node): MappingNode | undefined {
  if (expect.kind !== "mapping" || expect.members.length === 0) return undefined
  const members: readonly string[] = expectMembers
  return expect.members.every(({ name }) => members.includes(name)) ? expect : undefined
}

function contextOf(node: MappingNode): Context {
  const context = memberOf(node, "context")?.value
  return context === undefined ? {} : (toValue(context) as Context)
}

function membersIn(node: Node | undefined): readonly Member[] {
  return node?.kind === "mapping" ? node.members : []
}

function textOf(member: Member | undefined): string | undefined {
  return member === undefined ? undefined : String(toValue(member.value))
}

/** Where a case begins: underlining the whole mapping would mark everything. */
function firstOf(node: MappingNode): Span {
  return node.members[0]?.nameSpan ?? node
}
