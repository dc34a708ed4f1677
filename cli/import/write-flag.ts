import type { Json } from "../../sdk/contract/snapshot.ts"
import { isGroupKind } from "../../sdk/evaluation/condition.ts"
import { commentText } from "../diagnostics/comment-text.ts"
import { replaceHarmful } from "../diagnostics/printable.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import { sameValue } from "../language/canonical-json.ts"
import { always, type Condition, isAlways } from "../language/condition.ts"
import { type Fields, fieldsOf } from "../language/written-condition.ts"
import {
  type Configuration,
  type Guard,
  type ImportedFlag,
  type Outcome,
  type Split,
  typeOf,
} from "./form/form.ts"
import { verdictOf } from "./form/losses.ts"

/** A flag file in the layout of `fmt`, with `key:` if the file's name cannot be the key. */
export function flagText(flag: ImportedFlag, key: string | undefined): string {
  const defaultValue = defaultOf(flag)
  const type = typeOf(valuesOf(flag))
  const isUnnamed = flag.variations.every(([name, value]) => name === "" || name === String(value))
  const variations = flag.variations.map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  return lines(
    flag.variations.length < 2 || isUnnamed ? [] : [`# Variations: ${commentText(variations.join(", "))}`],
    flag.configurations.flatMap(acceptedLines),
    member("key", key),
    member("name", flag.name?.trim()),
    member("description", flag.description?.trim()),
    type === "boolean" ? [] : [`type: ${type}`],
    [`defaultValue: ${yamlLine(defaultValue)}`],
    member("owner", flag.owner),
    flag.tags.length === 0 ? [] : [`tags: ${yamlLine([...new Set(flag.tags)])}`],
    ["environments:"],
    flag.configurations.flatMap((one) => indent(configurationLines(one, defaultValue))),
  )
}

/** A segment file. */
export function segmentText(condition: Condition, description: string | undefined): string {
  return lines(member("description", description?.trim()), fieldLines(fieldsOf(condition)))
}

/** Comments on the losses that the user accepted, such as a strategy that is left out. */
function acceptedLines({ environment, losses }: Configuration): readonly string[] {
  const accepted = losses.filter((loss) => verdictOf([loss]) === "needs-answer")
  return [...new Set(accepted.map(({ message }) => `# Accepted in ${environment}: ${commentText(message)}`))]
}

function lines(...parts: readonly (readonly string[])[]): string {
  return `${parts.flat().join("\n")}\n`
}

function member(name: string, value: string | undefined): readonly string[] {
  if (value === undefined || value === "") return []
  const texts = value.split("\n")
  // `fmt` would break a long line in quotes.
  const isBlock =
    texts.length > 1 &&
    texts.every((line) => /^(?:\S(?:.*\S)?)?$/.test(line) && replaceHarmful(line, () => "") === line)
  return isBlock
    ? [`${name}: |-`, ...texts.map((line) => (line === "" ? "" : `  ${line}`))]
    : [`${name}: ${yamlLine(value)}`]
}

function indent(some: readonly string[]): readonly string[] {
  return some.map((line) => `  ${line}`)
}

/** Every value that the flag can return as it is written. */
export function valuesOf(flag: ImportedFlag): readonly Json[] {
  return [defaultOf(flag), ...flag.configurations.flatMap(valuesGiven)]
}

function valuesGiven({ guards, otherwise }: Configuration): readonly Json[] {
  const given = guards.map(({ gives }) => gives)
  return [...given, otherwise].flatMap((one) =>
    one.kind === "split" ? one.into.map(({ value }) => value) : valuesIn(one),
  )
}

function valuesIn(outcome: Outcome): readonly Json[] {
  return outcome.kind === "value" ? [outcome.value] : []
}

/**
 * What the flag returns when off, so that its switch does what the other tool's did. If the source does not specify it, it is
 * `false` for boolean flags; for others it is what most environments return if no rule matches, or an empty value if some
 * rule gives the caller's default. A flag that returns only that has the type of its variations.
 */
export function defaultOf({ configurations, variations }: ImportedFlag): Json {
  const off = configurations.flatMap(({ off }) => (off === undefined ? [] : valuesIn(off)))
  if (off.length > 0) return mostOften(off)
  const given = configurations.flatMap(valuesGiven)
  const values = given.length > 0 ? given : variations.map(([, value]) => value)
  const type = typeOf(values)
  if (type === "boolean" || values.length === 0) return false
  const otherwise = configurations.flatMap((one) => valuesIn(one.otherwise))
  const isOpen = configurations.some(({ guards }) => guards.some(({ gives }) => gives.kind === "caller"))
  if (otherwise.length > 0 && !isOpen) return mostOften(otherwise)
  return { string: "", number: 0, json: {} }[type]
}

function mostOften(values: readonly Json[]): Json {
  const groups = [...Map.groupBy(values, (value) => JSON.stringify(value)).values()]
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0] ?? false
}

/**
 * A configuration that gives everyone the default is written as off. One that gives everyone a different value has a rule with
 * `always`, so that the switch still works.
 */
function configurationLines(
  { environment, enabled, guards, otherwise }: Configuration,
  defaultValue: Json,
): readonly string[] {
  const name = `${yamlLine(environment)}:`
  const isDefault = (outcome: Guard["gives"]) =>
    outcome.kind === "caller" || (outcome.kind === "value" && sameValue(outcome.value, defaultValue))
  const rest: readonly Pick<Guard, "when" | "gives">[] =
    enabled && !isDefault(otherwise) ? [{ when: always, gives: otherwise }] : []
  const all = [...guards, ...rest]
  const rules = all.map(({ when, gives }) => ruleOf(when, gives, defaultValue))
  const [only, another] = all
  if (only === undefined) return [`${name} { enabled: false }`]
  if (another === undefined && isAlways(only.when) && only.gives.kind !== "split")
    return [`${name} ${yamlLine({ enabled, rules })}`]
  const isIdle = guards.every(({ gives }) => isDefault(gives)) && rest.length === 0
  return [name, `  enabled: ${enabled && !isIdle}`, "  rules:", ...indent(indent(rules.flatMap(itemLines)))]
}

function ruleOf(when: Condition, gives: Outcome | Split, defaultValue: Json): Fields {
  if (gives.kind !== "split")
    return { ...fieldsOf(when), returnValue: gives.kind === "value" ? gives.value : defaultValue }
  const { by, seed, into } = gives
  const shares = into.map(({ share, value }) => ({ share, returnValue: value }))
  const split = { by, ...(seed !== undefined && { seed }), into: shares }
  return { ...(!isAlways(when) && fieldsOf(when)), split }
}

/** Longer lists have a line for each item. */
const longestLine = 5

/** A rule or a condition, a line for each field. */
function fieldLines(fields: Fields): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (name === "split" || name === "ramp") return [`${name}:`, ...indent(fieldLines(value as Fields))]
    const list = Array.isArray(value) ? (value as readonly Json[]) : []
    if (name === "into" || name === "stages")
      return [`${name}:`, ...list.map((share) => `  - ${yamlLine(share)}`)]
    if (isGroupKind(name)) return [`${name}:`, ...indent(list.flatMap((part) => itemLines(part as Fields)))]
    if (name !== "value" || list.length <= longestLine) return [`${name}: ${yamlLine(value)}`]
    return ["value:", ...list.map((item) => `  - ${yamlLine(item)}`)]
  })
}

/** An item of a list: a condition on one line if it fits. */
function itemLines(fields: Fields): readonly string[] {
  const [first = "", ...others] = fieldLines(fields)
  const isRule = "returnValue" in fields || "split" in fields
  const line = [first, ...others].join(", ")
  const isShort = line.length < 100 && !isRule && !/(?:^|, )(?: |\w+:(?:,|$))/.test(line)
  return isShort && others.length > 0 ? [`- { ${line} }`] : [`- ${first}`, ...indent(others)]
}
