import type { Json } from "../../proxy/contract/snapshot.ts"
import { commentText } from "../codegen/comment-text.ts"
import { yamlLine } from "../edit/yaml-line.ts"
import type { Condition } from "./form/condition.ts"
import {
  type Configuration,
  type Guard,
  type ImportedFlag,
  type Outcome,
  type Split,
  typeOf,
} from "./form/form.ts"
import { verdictOf } from "./form/losses.ts"

/** A flag file in the layout of `fmt`. `key`: the member, where no file can have the name. */
export function flagText(flag: ImportedFlag, key: string | undefined): string {
  const defaultValue = defaultOf(flag)
  const type = typeOf(valuesOf(flag))
  const isConstant =
    flag.variations.length < 2 || flag.variations.every(([name, value]) => name === String(value))
  const variations = flag.variations.map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  return lines(
    isConstant ? [] : [`# Variations: ${commentText(variations.join(", "))}`],
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
  return lines(member("description", description?.trim()), conditionLines(condition))
}

/** Comments on what the user accepted: a strategy that is left out, for instance. */
function acceptedLines({ environment, losses }: Configuration): readonly string[] {
  return losses
    .filter((loss) => verdictOf([loss]) === "needs-answer")
    .map(({ text }) => `# Accepted in ${environment}: ${commentText(text)}`)
}

function lines(...parts: readonly (readonly string[])[]): string {
  return `${parts.flat().join("\n")}\n`
}

function member(name: string, value: string | undefined): readonly string[] {
  return value === undefined || value === "" ? [] : [`${name}: ${yamlLine(value)}`]
}

function indent(some: readonly string[]): readonly string[] {
  return some.map((line) => `  ${line}`)
}

/** Every value that the flag can give as it is written. */
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
 * What the flag returns when off, so that its switch does what the other tool's did. Where the file does not say, `false`
 * for a boolean flag, and for others what most environments return when no rule matches.
 */
export function defaultOf({ configurations }: ImportedFlag): Json {
  const off = configurations.flatMap(({ off }) => (off === undefined ? [] : valuesIn(off)))
  if (off.length > 0) return mostOften(off)
  const values = configurations.flatMap(valuesGiven)
  const type = typeOf(values)
  if (type === "boolean" || values.length === 0) return false
  const otherwise = configurations.flatMap((one) => valuesIn(one.otherwise))
  if (otherwise.length > 0) return mostOften(otherwise)
  return { string: "", number: 0, json: {} }[type]
}

function mostOften(values: readonly Json[]): Json {
  const groups = [...Map.groupBy(values, (value) => JSON.stringify(value)).values()]
  return groups.toSorted((a, b) => b.length - a.length)[0]?.[0] ?? false
}

/**
 * A configuration that gives everyone the default is written as off. One that gives everyone another value has a rule with
 * `always`, so that the switch still works.
 */
function configurationLines(
  { environment, enabled, guards, otherwise }: Configuration,
  defaultValue: Json,
): readonly string[] {
  const name = `${yamlLine(environment)}:`
  const isDefault = (outcome: Guard["gives"]) =>
    outcome.kind === "caller" ||
    (outcome.kind === "value" && JSON.stringify(outcome.value) === JSON.stringify(defaultValue))
  const rest = enabled && !isDefault(otherwise) ? [["- operator: always", ...givesLines(otherwise)]] : []
  const rules = [...guards.map(({ when, gives }) => ruleLines(when, gives)), ...rest]
  if (rules.length === 0) return [`${name} { enabled: false }`]
  const [only, another] = rules.length === 1 ? (rules[0] ?? []) : []
  if (only === "- operator: always" && another?.startsWith("  returnValue: "))
    return [`${name} { enabled: ${enabled}, rules: [{ operator: always,${another.slice(1)} }] }`]
  const isIdle = guards.every(({ gives }) => isDefault(gives)) && rest.length === 0
  return [
    name,
    `  enabled: ${enabled && !isIdle}`,
    "  rules:",
    ...rules.flatMap((rule) => indent(indent(rule))),
  ]
}

function ruleLines(when: Condition, gives: Outcome | Split): readonly string[] {
  const asked = gives.kind === "split" && when.kind === "always" ? [] : conditionLines(when)
  const [first = "", ...others] = [...asked, ...givesLines(gives).map((line) => line.slice(2))]
  return [`- ${first}`, ...indent(others)]
}

/** What a rule gives, indented as its second and later lines. */
function givesLines(gives: Outcome | Split): readonly string[] {
  if (gives.kind !== "split")
    return indent([`returnValue: ${yamlLine(gives.kind === "value" ? gives.value : false)}`])
  const shares = gives.into.map(
    ({ share, value }) => `    - { share: ${share}, returnValue: ${yamlLine(value)} }`,
  )
  const seed = gives.seed === undefined ? [] : [`  seed: ${yamlLine(gives.seed)}`]
  return indent(["split:", `  by: ${yamlLine(gives.by)}`, ...seed, "  into:", ...shares])
}

/** Longer lists have a line for each item. */
const longestLine = 5

function conditionLines(condition: Condition): readonly string[] {
  switch (condition.kind) {
    case "always":
      return ["operator: always"]
    case "segment":
      return [`segment: ${yamlLine(condition.name)}`]
    case "flag":
      return [
        `flag: ${yamlLine(condition.key)}`,
        ...(condition.is === true ? [] : [`is: ${yamlLine(condition.is)}`]),
      ]
    case "share": {
      const { by, to, seed } = condition
      if (seed !== undefined) return [`share: ${yamlLine({ by, to, seed })}`]
      return [`attribute: ${yamlLine(by)}`, "operator: percentage", `value: ${JSON.stringify(String(to))}`]
    }
    case "comparison": {
      const { attribute, operator, value, ignoreCase } = condition
      const start = [
        `attribute: ${yamlLine(attribute)}`,
        `operator: ${operator}`,
        ...(ignoreCase ? ["ignoreCase: true"] : []),
      ]
      if (value === undefined) return start
      if (typeof value === "string" || value.length <= longestLine)
        return [...start, `value: ${yamlLine(value as Json)}`]
      return [...start, "value:", ...value.map((item) => `  - ${yamlLine(item)}`)]
    }
    default:
      return [`${condition.kind}:`, ...condition.conditions.flatMap((part) => indent(itemLines(part)))]
  }
}

/** An item of a group: on one line where it fits there. */
function itemLines(condition: Condition): readonly string[] {
  const [first = "", ...others] = conditionLines(condition)
  const line = [first, ...others].join(", ")
  const isShort =
    line.length < 100 && "conditions" in condition === false && !others.some((other) => /^ |:$/.test(other))
  return isShort && others.length > 0 ? [`- { ${line} }`] : [`- ${first}`, ...indent(others)]
}
