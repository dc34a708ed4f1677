import type { OperatorName } from "../../sdk/evaluation/operators.ts"
import { type Phrase, phrase } from "../diagnostics/phrase.ts"
import { all, always, any, type Condition, isPresent, never, none } from "../language/condition.ts"
import { compare, compareOrder, isOneOf, matches, type Order, oddlyCased } from "./form/compare.ts"
import type { AddLoss } from "./form/losses.ts"
import { table } from "./form/table.ts"
import { at, isTrue, momentText, type Node } from "./form/tree.ts"
import { firstShare } from "./shares.ts"
import { constraintOf, listed, noGroup, strategyOf, type UnleashScope } from "./sources/unleash.ts"

/** The users that a strategy matches, without its constraints and segments. */
export function strategyCondition(
  node: Node,
  feature: string,
  { strategies }: UnleashScope,
  addLoss: AddLoss,
): Condition {
  const { name, parameter } = strategyOf(node)
  const group = parameter("groupId") || noGroup
  const seed = group === feature ? undefined : group
  const share = (by: string, percent: number): Condition =>
    percent >= 100 ? isHashed(by) : firstShare(by, percent, seed)
  const withLoss = (what: Phrase, condition: Condition) => {
    if (percent < 100) addLoss("import-share-rebucketed", node, phrase`a share by ${what}`)
    return condition
  }
  // The hash is a whole number from 1 to 100.
  const percent = Math.floor(Number(parameter(name === "flexibleRollout" ? "rollout" : "percentage")))
  const stickiness = parameter("stickiness") || "default"
  switch (name) {
    case "default":
      return always
    case "userWithId":
      return isOneOf("userId", listed(parameter("userIds")))
    case "gradualRolloutUserId":
      return percent > 0 ? withLoss(phrase`${"userId"}`, share("userId", percent)) : never
    case "gradualRolloutSessionId":
      return percent > 0 ? withLoss(phrase`${"sessionId"}`, share("sessionId", percent)) : never
    case "gradualRolloutRandom":
    case "flexibleRollout":
      if (!(percent > 0)) return never
      if (percent >= 100 && (name !== "flexibleRollout" || /^(?:default|random)$/.test(stickiness)))
        return always
      if (name !== "flexibleRollout" || stickiness === "random") {
        addLoss("import-random-share", node, phrase`a random ${percent} %`)
        return never
      }
      // In Unleash, contexts with neither get a random share; here, they are in no share.
      if (stickiness === "default")
        return withLoss(
          phrase`${"userId"} or else ${"sessionId"}`,
          any(share("userId", percent), all(none(isHashed("userId")), share("sessionId", percent))),
        )
      return withLoss(phrase`${stickiness}`, share(stickiness, percent))
    case "remoteAddress":
      if (parameter("IPs").includes("/")) addLoss("import-operator", node, phrase`address ranges`)
      return isOneOf("remoteAddress", listed(parameter("IPs")))
    case "applicationHostname":
      if (listed(parameter("hostNames")).length > 0)
        addLoss("import-operator", node, phrase`the SDK's hostname`)
      return never
    default: {
      const asks = strategies.get(name)
      if (asks !== undefined) return isOneOf(asks.attribute, listed(parameter(asks.parameter)))
      addLoss("import-custom-strategy", node, phrase`the strategy ${name}`)
      return never
    }
  }
}

/** The attribute can be in a share: it is neither missing nor empty. */
function isHashed(attribute: string): Condition {
  return firstShare(attribute, 100, undefined)
}

const textOperators = table<OperatorName>({
  ...{ STR_STARTS_WITH: "startsWith", STR_ENDS_WITH: "endsWith", STR_CONTAINS: "contains" },
})
const orders = table<Order>({
  ...{ EQ: "eq", LT: "lt", LTE: "lte", GT: "gt", GTE: "gte", BEFORE: "lt", AFTER: "gt" },
})

/** `inverted` negates the whole constraint: a missing attribute then matches. */
export function constraintCondition(node: Node, addLoss: AddLoss): Condition {
  const positive = positiveConstraint(node, addLoss)
  return isTrue(at(node, "inverted")) ? none(positive) : positive
}

function positiveConstraint(node: Node, addLoss: AddLoss): Condition {
  const { attribute, operator, values, value, ignoresCase } = constraintOf(node)
  if (operator === "IN") return isOneOf(attribute, values)
  if (operator === "NOT_IN") return none(isOneOf(attribute, values))
  if (operator === "REGEX") return matches(attribute, `${ignoresCase ? "(?i)" : ""}${value}`)
  const onTexts = textOperators[operator]
  if (onTexts !== undefined) {
    if (ignoresCase && values.some((one) => oddlyCased.test(one)))
      addLoss("import-operator", node, phrase`${"caseInsensitive"} with ${"Σ"} or ${"İ"} in an operand`)
    return values.includes("") ? isPresent(attribute) : compare(attribute, onTexts, values, ignoresCase)
  }
  const [kind, name = ""] = operator.split("_")
  const order = orders[name]
  if (kind === "NUM" && order !== undefined)
    return Number.isFinite(Number(value))
      ? compareOrder(attribute, "number", order, [String(Number(value))])
      : never
  if (kind === "SEMVER" && order !== undefined)
    return /^\d+\.\d+\.\d+(?:[-+].*)?$/.test(value)
      ? compareOrder(attribute, "version", order, [value])
      : never
  if (kind === "DATE" && order !== undefined) {
    addLoss("import-clock", node, phrase`a date, which Unleash compares with ${"currentTime"} or its clock`)
    const moment = momentText(value)
    return moment === undefined ? never : compareOrder("currentTime", "moment", order, [moment])
  }
  addLoss("import-operator", node, phrase`the operator ${operator}`)
  return never
}
