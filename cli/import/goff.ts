import {
  all,
  always,
  any,
  type Condition,
  type Configuration,
  compare,
  exists,
  type Guard,
  type Imported,
  isNever,
  never,
  none,
  type Outcome,
  type Remark,
  toCaller,
  toValue,
} from "./form/form.ts"
import { createLogic } from "./form/json-logic.ts"
import { collectLosses, type Lose } from "./form/losses.ts"
import { type Operand, parseQuery, type Query, type QueryOperator } from "./form/query.ts"
import { readJson } from "./form/read-json.ts"
import { environmentOf, type Tool } from "./form/tool.ts"
import { at, members, type Node, textOf, textsOf } from "./form/tree.ts"
import { goffMeaning } from "./meaning/goff.ts"
import { fnv1a } from "./meaning/hashes.ts"
import { sharesOf } from "./shares.ts"
import { type GoffFlag, type GoffRule, goffFlag } from "./sources/goff.ts"

/** Files of GO Feature Flag, of today and from before version 1. Meaning: thomaspoignant/go-feature-flag 3c7c30d. */
export const goff: Tool = {
  title: "GO Feature Flag",
  contexts: "any",
  required: ["targetingKey"],
  recognizes: (root) =>
    members(root).some(
      ([, flag]) =>
        (at(flag, "variations") && at(flag, "defaultRule")) || (at(flag, "true") && at(flag, "false")),
    ),
  read,
  hash: (seed, text) => (fnv1a(`${seed}${text}`) % 100_000) / 100_000,
}

function read(documents: readonly Node[]): Imported {
  const remarks: Remark[] = []
  const found = documents.flatMap((root) =>
    members(root).map(([key, node]) => {
      const flag = goffFlag(node)
      return { key, flag, configuration: configurationOf(key, flag, environmentOf(root), remarks) }
    }),
  )
  const flags = [...Map.groupBy(found, ({ key }) => key)].map(([key, own]) => ({
    key,
    name: undefined,
    description: textOf(at(own[0]?.flag.node, "metadata", "description")),
    tags: textsOf(at(own[0]?.flag.node, "metadata", "tags")),
    owner: textOf(at(own[0]?.flag.node, "metadata", "owner")),
    variations: [...(own[0]?.flag.variations ?? [])],
    configurations: own.map(({ configuration }) => configuration),
  }))
  return { flags, segments: [], remarks }
}

function configurationOf(key: string, flag: GoffFlag, environment: string, remarks: Remark[]): Configuration {
  const { losses, lose } = collectLosses()
  const { node, isDisabled, rules } = flag
  if (flag.isScheduled) lose("import-schedule", node, "steps that begin at a date")
  const guards = rules.flatMap((rule): readonly Guard[] => {
    const when = queryCondition(rule, lose)
    if (!isNever(when)) return given(when, rule, flag, lose)
    remarks.push({ node: rule.node, text: `a rule of \`${key}\` matches nobody, and is left out` })
    return []
  })
  const last = given(always, flag.otherwise, flag, lose)
  const plain = last.at(-1)
  const isPlain = plain !== undefined && plain.gives.kind !== "split"
  const otherwise = isPlain && last.length === 1 ? (plain.gives as Outcome) : toCaller
  const all = isPlain && last.length === 1 && !isDisabled ? guards : [...guards, ...last]
  if (isDisabled) lose("import-caller-default", node, "disabled, it gives the default that the caller brings")
  const base = { environment, node, guards: all, off: undefined, meaning: goffMeaning(key, flag), losses }
  return { ...base, enabled: !isDisabled, otherwise: isDisabled ? toCaller : otherwise }
}

function given(when: Condition, rule: GoffRule, flag: GoffFlag, lose: Lose): readonly Guard[] {
  const { node } = rule
  const give = (name: string | undefined): Outcome => {
    const value = flag.variations.get(name ?? "")
    if (value !== undefined) return toValue(value)
    lose(
      "import-malformed",
      node,
      name === undefined
        ? "a rule without a variation"
        : `the variation \`${name}\` that the flag does not have`,
    )
    return toCaller
  }
  if (rule.isScheduled) {
    lose("import-schedule", node, "a progressive rollout")
    return []
  }
  if (rule.shares.length === 0) return [{ when, gives: give(rule.variation), node }]
  const shares = sharesOf(rule.shares.map(([, share]) => share))
  const into = rule.shares.flatMap(([name], index) => {
    const outcome = give(name)
    return outcome.kind === "value" && (shares[index] ?? 0) > 0
      ? [{ share: shares[index] ?? 0, value: outcome.value }]
      : []
  })
  const [only, another] = into
  if (only !== undefined && another === undefined) return [{ when, gives: toValue(only.value), node }]
  if (flag.bucketingKey.includes("."))
    lose("import-attribute-path", node, `the path \`${flag.bucketingKey}\``)
  lose("import-share-redealt", node, `shares by \`${flag.bucketingKey}\``)
  return [{ when, gives: { kind: "split", by: flag.bucketingKey, seed: undefined, into }, node }]
}

const logic = createLogic({
  attributeOf(name, node, lose) {
    if (name.includes(".")) lose("import-attribute-path", node, `the path \`${name}\``)
    return name.includes(".") ? undefined : nameOf(name)
  },
  named: () => never,
})

function queryCondition({ query, isJsonLogic, node }: GoffRule, lose: Lose): Condition {
  if (query === undefined) return always
  const place = at(node, "query") ?? at(node, "rule") ?? node
  const cannot: Lose = (code, _, text) => lose(code, place, text)
  if (isJsonLogic) return logic(readJson({ ...place.file, text: query }), cannot)
  const parsed = parseQuery(query)
  if (typeof parsed !== "string") return conditionOf(parsed, cannot, place)
  lose("import-malformed", place, `the query: ${parsed}`)
  return never
}

function conditionOf(query: Query, lose: Lose, place: Node): Condition {
  switch (query.kind) {
    case "and":
      return all(conditionOf(query.left, lose, place), conditionOf(query.right, lose, place))
    case "or":
      return any(conditionOf(query.left, lose, place), conditionOf(query.right, lose, place))
    case "not":
      return none(conditionOf(query.query, lose, place))
  }
  if (query.attribute.includes(".")) lose("import-attribute-path", place, `the path \`${query.attribute}\``)
  const attribute = nameOf(query.attribute)
  if (query.kind === "present") return exists(attribute)
  const found = compareOperand(attribute, query.operator, query.operand)
  if (found === undefined)
    lose("import-logic", place, `\`${query.attribute} ${query.operator}\` with this operand`)
  return found ?? never
}

/** The targeting key has three names. */
function nameOf(attribute: string): string {
  return attribute === "key" || attribute === "user_key" ? "targetingKey" : attribute
}

const onTexts: Readonly<Partial<Record<QueryOperator, "equals" | "contains" | "startsWith" | "endsWith">>> = {
  ...{ eq: "equals", co: "contains", sw: "startsWith", ew: "endsWith" },
}
const onNumbers: Readonly<Partial<Record<QueryOperator, readonly string[]>>> = {
  eq: ["greaterThanOrEquals", "lessThanOrEquals"],
  ...{ gt: ["greaterThan"], ge: ["greaterThanOrEquals"], lt: ["lessThan"], le: ["lessThanOrEquals"] },
}

/** A missing attribute matches nothing, `ne` neither. */
function compareOperand(attribute: string, operator: QueryOperator, operand: Operand): Condition | undefined {
  if (operator === "ne") {
    const equal = compareOperand(attribute, "eq", operand)
    return equal && all(exists(attribute), none(equal))
  }
  const onText = onTexts[operator]
  const onNumber = onNumbers[operator]
  switch (operand.kind) {
    case "text":
      return onText && compare(attribute, onText, [operand.text], /[A-Za-z]/.test(operand.text))
    case "number":
      return onNumber && all(...onNumber.map((one) => compare(attribute, one, [String(operand.number)])))
    case "boolean":
      return operator === "eq" ? compare(attribute, "equals", [String(operand.is)]) : undefined
    case "version":
      return (
        onNumber &&
        all(
          ...onNumber.map((one) =>
            compare(attribute, `semver${one[0]?.toUpperCase()}${one.slice(1)}`, [operand.version]),
          ),
        )
      )
    case "list":
      return operator === "in"
        ? compare(
            attribute,
            "equals",
            operand.items.map(String),
            operand.items.some((item) => typeof item === "string"),
          )
        : undefined
    case "null":
      return undefined
  }
}
