import type { OperatorName } from "../../sdk/evaluation/operators.ts"
import { phrase, sentence } from "../diagnostics/phrase.ts"
import { all, always, any, type Condition, isPresent, never, none } from "../language/condition.ts"
import { compare, compareOrder, isOneOf, type Order, oddlyCased } from "./form/compare.ts"
import {
  type Configuration,
  disabledRules,
  type Found,
  type Guard,
  type Imported,
  type Outcome,
  type Remark,
  toCaller,
  toValue,
} from "./form/form.ts"
import { gather } from "./form/gather.ts"
import { type LogicScope, logicCondition } from "./form/json-logic.ts"
import { type AddLoss, collectLosses } from "./form/losses.ts"
import { type Operand, parseQuery, type Query } from "./form/query.ts"
import { table } from "./form/table.ts"
import { aboutMetadata, environmentOf, type ReadOptions, type Tool } from "./form/tool.ts"
import { at, members, type Node } from "./form/tree.ts"
import { goffMeaning, needsTargetingKey } from "./meaning/goff.ts"
import { fnv1a } from "./meaning/hashes.ts"
import { firstShare, growingShare, remarkOnSum, splitOf } from "./shares.ts"
import { type GoffFlag, type GoffRule, goffFlag, isOld } from "./sources/goff.ts"

/** Files of GO Feature Flag since version 1. Meaning: thomaspoignant/go-feature-flag 3c7c30d. */
export const goff: Tool = {
  title: "GO Feature Flag",
  contexts: "any",
  comparesItems: false,
  required: ["targetingKey"],
  recognizes: (root) =>
    members(root).some(([, flag]) => (at(flag, "variations") && at(flag, "defaultRule")) || isOld(flag)),
  read,
  hash: (seed, text) => (fnv1a(`${seed}${text}`) % 100_000) / 100_000,
}

function read(documents: readonly Node[], { clock = "now" }: ReadOptions): Imported {
  const remarks: Remark[] = []
  const found = documents.flatMap((root) =>
    members(root).map(([key, node]): Found => {
      const flag = goffFlag(node)
      const environment = environmentOf(root)
      remarks.push(...disabledRules(flag.disabled, key, environment))
      const configuration = configurationOf(key, flag, { environment, clock }, remarks)
      return {
        key,
        configuration,
        about: () => ({ ...aboutMetadata(node), variations: [...flag.variations] }),
      }
    }),
  )
  return { ...gather([{ found, segments: [] }]), remarks }
}

const keyless =
  "for a flag with a percentage, even of 0 or 100, GO Feature Flag needs a targetingKey: without it, only Flagstone evaluates the flag"

function configurationOf(
  key: string,
  flag: GoffFlag,
  { environment, clock }: { readonly environment: string; readonly clock: string },
  remarks: Remark[],
): Configuration {
  const { losses, addLoss } = collectLosses()
  const { node, isDisabled, rules, otherwise, bucketingKey, variations } = flag
  if (flag.schedule !== undefined) addLoss("import-schedule", node, [flag.schedule])
  if (isDisabled)
    addLoss("import-caller-default", node, phrase`when disabled, it returns the caller's default`)
  if (needsTargetingKey(flag)) remarks.push({ node, flag: key, environment, text: keyless })

  function given(when: Condition, rule: GoffRule): readonly Guard[] {
    const { node, isProgressive, shares, stages, variation } = rule
    const give = (name: string | undefined): Outcome => {
      const value = variations.get(name ?? "")
      if (value !== undefined) return toValue(value)
      const missing = phrase`the flag has no variation ${name ?? ""}`
      addLoss("import-malformed", node, name === undefined ? phrase`a rule without a variation` : missing)
      return toCaller
    }
    if (isProgressive) {
      addLoss("import-schedule", node, phrase`a progressive rollout`)
      return []
    }
    if (shares.length === 0) return [{ when, gives: give(variation), node }]
    const weighted = shares.map(([name, weight]) => ({ weight, gives: give(name) }))
    remarks.push(...remarkOnSum(node, key, environment, weighted))
    const gives = splitOf(bucketingKey, undefined, weighted)
    const grown = stages.length > 0 ? growthOf(rule) : undefined
    if (stages.length > 0 && grown === undefined) addLoss("import-schedule", node, phrase`scheduled steps`)
    if (gives.kind === "split" || grown !== undefined) {
      if (bucketingKey.includes(".")) addLoss("import-attribute-path", node, phrase`the path ${bucketingKey}`)
      addLoss("import-share-rebucketed", node, phrase`shares by ${bucketingKey}`)
    }
    if (grown === undefined) return [{ when, gives, node }]
    const { first, later, name, rest } = grown
    addLoss("import-clock", node, phrase`scheduled steps, which begin when the attribute ${clock} says so`)
    const [has, gets] = [firstShare(bucketingKey, first, undefined), growingShare(bucketingKey, later, clock)]
    return [
      ...(first > 0 ? [{ when: all(when, has), gives: give(name), node }] : []),
      { when: all(when, gets), gives: give(name), node },
      { when, gives: give(rest), node, isImplied: true },
    ]
  }

  const guards = rules.flatMap((rule) => given(queryCondition(rule, addLoss), rule))
  const last = given(always, otherwise).map((guard) => ({ ...guard, isImplied: true }))
  return {
    ...{ environment, node, enabled: !isDisabled, meaning: goffMeaning(key, flag, clock), losses },
    ...{ guards: [...guards, ...last], otherwise: toCaller, off: undefined },
  }
}

/** The share of one variation of two, in percent, which only grows; `undefined` if steps do anything else. */
function growthOf({ shares, stages }: GoffRule) {
  const states = [...stages.map((stage) => stage.shares).reverse(), shares]
  const names = new Set(states.flatMap((some) => some.flatMap(([name, share]) => (share > 0 ? name : []))))
  const [name, rest, third] = names
  const [first = 0, ...widths] = states.reverse().map((some) => {
    const sum = some.reduce((sum, [, share]) => sum + share, 0)
    return Math.round(((some.find(([one]) => one === name)?.[1] ?? 0) / sum) * 100_000) / 1_000
  })
  const all = stages.map(({ at }, index) => ({ at, share: widths[index] ?? 0 }))
  const grows = all.every(({ share }, index) => share >= (all[index - 1]?.share ?? first))
  const later = all.filter(({ share }, index) => share > (all[index - 1]?.share ?? first))
  return grows && later.length > 0 && third === undefined ? { first, later, name, rest } : undefined
}

const scope: LogicScope = {
  attributeOf(name, node, addLoss) {
    if (name.includes(".")) addLoss("import-attribute-path", node, phrase`the path ${name}`)
    return name.includes(".") ? undefined : nameOf(name)
  },
  named: () => never,
  isBoolean: (name) => name === "anonymous",
}

function queryCondition({ query, logic, node }: GoffRule, addLoss: AddLoss): Condition {
  if (query === undefined) return always
  const place = at(node, "query") ?? node
  const cannot: AddLoss = (code, _, text) => addLoss(code, place, text)
  if (logic !== undefined) return logicCondition(logic, scope, cannot)
  const parsed = parseQuery(query)
  if (typeof parsed !== "string") return conditionOf(parsed, cannot, place)
  addLoss("import-malformed", place, phrase`the query: ${sentence(parsed)}`)
  return never
}

function conditionOf(query: Query, addLoss: AddLoss, place: Node): Condition {
  switch (query.kind) {
    case "and":
      return all(conditionOf(query.left, addLoss, place), conditionOf(query.right, addLoss, place))
    case "or":
      return any(conditionOf(query.left, addLoss, place), conditionOf(query.right, addLoss, place))
    case "not":
      return none(conditionOf(query.query, addLoss, place))
  }
  if (query.attribute.includes("."))
    addLoss("import-attribute-path", place, phrase`the path ${query.attribute}`)
  const attribute = nameOf(query.attribute)
  // `anonymous` counts as false if it is missing.
  const isAnonymous = attribute === "anonymous"
  if (query.kind === "present") return isAnonymous ? always : isPresent(attribute)
  const { operator, operand } = query
  if (isAnonymous && operand.kind === "boolean" && (operator === "eq" || operator === "ne")) {
    const is = isOneOf(attribute, ["true"])
    return operand.is === (operator === "eq") ? is : none(is)
  }
  const found = operator === "ne" ? differs(attribute, operand) : compareOperand(attribute, operator, operand)
  if (found === undefined || isAnonymous)
    addLoss("import-logic", place, phrase`${`${query.attribute} ${operator}`} with this operand`)
  return found ?? never
}

/** The attribute's name; queries have three for the targeting key. */
function nameOf(attribute: string): string {
  return attribute === "key" || attribute === "user_key" ? "targetingKey" : attribute
}

const onTexts = table<OperatorName>({ eq: "equals", co: "contains", sw: "startsWith", ew: "endsWith" })
const onOrder = table<Order>({ eq: "eq", gt: "gt", ge: "gte", lt: "lt", le: "lte" })

/** An attribute that is missing or of a different type matches nothing, not even `ne`. */
function differs(attribute: string, operand: Operand): Condition | undefined {
  if (operand.kind === "boolean") return compareOperand(attribute, "eq", { ...operand, is: !operand.is })
  if (operand.kind === "number" || operand.kind === "version") {
    const [less, more] = ["lt", "gt"].map((order) => compareOperand(attribute, order, operand) ?? never)
    return any(less ?? never, more ?? never)
  }
  const same = compareOperand(attribute, "eq", operand)
  return same && all(isPresent(attribute), none(same))
}

function compareOperand(attribute: string, operator: string, operand: Operand): Condition | undefined {
  const [text, order] = [onTexts[operator], onOrder[operator]]
  switch (operand.kind) {
    case "text":
      return text === undefined || oddlyCased.test(operand.text)
        ? undefined
        : compare(attribute, text, [operand.text], /\p{L}/u.test(operand.text))
    case "number":
      if (order && operand.isWhole) return compareWhole(attribute, order, operand.number)
      return order && compareOrder(attribute, "number", order, [String(operand.number)])
    case "boolean":
      return operator === "eq" ? isOneOf(attribute, [String(operand.is)]) : undefined
    case "version":
      return order && compareOrder(attribute, "version", order, [operand.version])
    case "list":
      return operator === "in" ? isOneOf(attribute, operand.items.map(String)) : undefined
    case "null":
      return undefined
  }
}

/** Compared with a whole number, an attribute loses its fraction. */
function compareWhole(attribute: string, order: Order, number: number): Condition {
  const compareWith = (above: Order, below: Order, bound: number) =>
    bound < 0
      ? compareOrder(attribute, "number", below, [String(bound)])
      : compareOrder(attribute, "number", above, [String(bound + 1)])
  const more = compareWith("gte", "gt", order === "gt" ? number : number - 1)
  const less = compareWith("lt", "lte", order === "lt" ? number - 1 : number)
  if (order === "eq") return all(more, less)
  return order.startsWith("g") ? more : less
}
