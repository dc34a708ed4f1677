import { type Attributes, type Bucket, type Meaning, toValue } from "../form/form.ts"
import { inOrder } from "../form/in-order.ts"
import { at, isTrue, items, type Node, scalarText, textOf } from "../form/tree.ts"
import {
  constraintOf,
  listed,
  noGroup,
  strategyOf,
  type UnleashFeature,
  type UnleashScope,
} from "../sources/unleash.ts"
import { expression } from "./expression.ts"
import { compareSemver } from "./semver.ts"

/** `undefined` if chance or the clock decides, because that cannot be compared. */
type Truth = boolean | undefined

/** Whether a feature is on, as in client.ts and strategy.ts. Attributes are strings, and include the context's `properties`. */
export function unleashMeaning(feature: UnleashFeature, scope: UnleashScope): Meaning {
  return (attributes, bucket, isOn = feature.enabled) => {
    const text = (name: string) => attributes(name) as string | undefined
    const isOnHere = isEnabled({ ...feature, enabled: isOn }, scope, text, bucket)
    return isOnHere === undefined ? undefined : toValue(isOnHere)
  }
}

type Texts = (name: string) => ReturnType<Attributes> & (string | undefined)

function isEnabled(feature: UnleashFeature, scope: UnleashScope, text: Texts, bucket: Bucket): Truth {
  if (!feature.enabled) return false
  for (const dependency of feature.dependencies) {
    const parent = scope.features.get(textOf(at(dependency, "feature")) ?? "")
    if (parent === undefined || parent.dependencies.length > 0) return false
    const isOn = isEnabled(parent, scope, text, bucket)
    if (isOn === undefined) return undefined
    if (isOn !== (at(dependency, "enabled")?.value !== false)) return false
  }
  if (feature.strategies.length === 0) return true
  return some(feature.strategies, (strategy) => {
    const segments = feature.segmentsOf(strategy).map((id) => scope.segments.get(scalarText(id) ?? ""))
    if (segments.includes(undefined)) return false
    const constraints = [strategy, ...segments].flatMap((one) => items(at(one, "constraints")))
    for (const constraint of constraints) {
      const holds = isMet(constraint, text)
      if (holds !== true) return holds
    }
    return isFor(strategy, scope, text, bucket)
  })
}

/** True if one is true, otherwise unknown if one is unknown. */
function some(all: readonly Node[], test: (one: Node) => Truth): Truth {
  const found = all.map(test)
  return found.includes(true) || (found.includes(undefined) ? undefined : false)
}

function isMet(constraint: Node, text: Texts): Truth {
  const holds = compares(constraint, text)
  return holds === undefined ? undefined : holds !== isTrue(at(constraint, "inverted"))
}

function compares(constraint: Node, text: Texts): Truth {
  const { attribute, operator, values, value: operand, ignoresCase } = constraintOf(constraint)
  const fold = (one: string) => (ignoresCase ? one.toLowerCase() : one)
  const value = text(attribute)
  const some = (test: (value: string, operand: string) => boolean) =>
    value !== undefined && values.some((one) => test(fold(value), fold(one)))
  if (operator === "IN") return values.some((one) => one === value)
  if (operator === "NOT_IN") return !values.some((one) => one === value)
  if (operator === "STR_STARTS_WITH") return some((value, operand) => value.startsWith(operand))
  if (operator === "STR_ENDS_WITH") return some((value, operand) => value.endsWith(operand))
  if (operator === "STR_CONTAINS") return some((value, operand) => value.includes(operand))
  if (operator === "REGEX")
    return value !== undefined && (expression(`${ignoresCase ? "(?i)" : ""}${operand}`)?.(value) ?? false)
  const [kind, order = ""] = operator.toLowerCase().split("_")
  if (kind === "num") return inOrder(order, Number(value) - Number(operand))
  if (kind === "semver") return inOrder(order, compareSemver(value ?? "", operand) ?? Number.NaN)
  if (kind !== "date") return false
  // Unleash accepts only a date as `currentTime`.
  const now = text("currentTime") ?? ""
  if (!/^\d{4}-\d\d-\d\dT/.test(now)) return undefined
  return inOrder(order === "after" ? "gt" : "lt", Date.parse(now) - Date.parse(operand))
}

function isFor(strategy: Node, { strategies }: UnleashScope, text: Texts, bucket: Bucket): Truth {
  const { name, parameter } = strategyOf(strategy)
  const isListed = (list: string, attribute: string) => listed(list).includes(text(attribute) ?? "")
  const group = parameter("groupId") || noGroup
  const isInShare = (id: string | undefined, percent: number) =>
    Boolean(id) && percent > 0 && Math.floor(bucket(group, id ?? "") * 100) + 1 <= percent
  const byChance = (percent: number): Truth => (percent >= 100 ? true : percent > 0 ? undefined : false)
  switch (name) {
    case "default":
      return true
    case "userWithId":
      return isListed(parameter("userIds"), "userId")
    case "gradualRolloutUserId":
      return isInShare(text("userId"), Number(parameter("percentage")))
    case "gradualRolloutSessionId":
      return isInShare(text("sessionId"), Number(parameter("percentage")))
    case "gradualRolloutRandom":
      return byChance(Number(parameter("percentage")))
    case "remoteAddress":
      return isListed(parameter("IPs"), "remoteAddress")
    case "flexibleRollout": {
      const percent = Number(parameter("rollout"))
      const stickiness = parameter("stickiness") || "default"
      if (stickiness === "random") return byChance(percent)
      if (stickiness !== "default") return isInShare(text(stickiness), percent)
      const id = text("userId") || text("sessionId")
      return id ? isInShare(id, percent) : byChance(percent)
    }
    default: {
      const asks = strategies.get(name)
      return asks !== undefined && isListed(parameter(asks.parameter), asks.attribute)
    }
  }
}
