import { all, always, any, type Condition, compare, exists, never, none } from "./form/form.ts"
import type { Lose } from "./form/losses.ts"
import { at, isTrue, type Node, scalarText, textOf, textsOf } from "./form/tree.ts"
import type { UnleashScope } from "./sources/unleash.ts"

/** Whom a strategy is for, its constraints and segments apart. */
export function strategyCondition(
  node: Node,
  feature: string,
  { strategies }: UnleashScope,
  lose: Lose,
): Condition {
  const name = textOf(at(node, "name")) ?? textOf(at(node, "strategyName")) ?? ""
  const parameter = (name: string) => scalarText(at(node, "parameters", name)) ?? ""
  const listed = (name: string) =>
    parameter(name)
      .split(/\s*,\s*/)
      .filter((item) => item !== "")
  const seed = [feature, ""].includes(parameter("groupId")) ? undefined : parameter("groupId")
  const share = (by: string, percent: number): Condition => {
    if (percent >= 100) return all(exists(by))
    lose("import-share-redealt", node, `a share by \`${by}\``)
    return { kind: "share", by, to: percent, seed }
  }
  const percent = Number(parameter(name === "flexibleRollout" ? "rollout" : "percentage"))
  const stickiness = parameter("stickiness") || "default"
  switch (name) {
    case "default":
      return always
    case "userWithId":
      return compare("userId", "equals", listed("userIds"))
    case "gitlabUserList":
      return compare("userId", "equals", (textOf(at(node, "user_list", "user_xids")) ?? "").split(","))
    case "gradualRolloutUserId":
      return percent > 0 ? share("userId", percent) : never
    case "gradualRolloutSessionId":
      return percent > 0 ? share("sessionId", percent) : never
    case "gradualRolloutRandom":
    case "flexibleRollout":
      if (!(percent > 0)) return never
      if (percent >= 100 && (name !== "flexibleRollout" || /^(?:default|random)$/.test(stickiness)))
        return always
      if (name !== "flexibleRollout" || stickiness === "random") {
        lose("import-random-share", node, `${percent} % by chance`)
        return never
      }
      // Contexts without both get chance there, and are in no share here.
      if (stickiness === "default")
        return any(share("userId", percent), all(none(exists("userId")), share("sessionId", percent)))
      return share(stickiness, percent)
    case "remoteAddress":
      if (parameter("IPs").includes("/")) lose("import-operator", node, "ranges of addresses")
      return compare("remoteAddress", "equals", listed("IPs"))
    case "applicationHostname":
      if (listed("hostNames").length > 0) lose("import-operator", node, "the name of the SDK's host")
      return never
    default: {
      const [, attribute, own] = /^in:([^:]+):(.+)$/.exec(strategies.get(name) ?? "") ?? []
      if (attribute !== undefined && own !== undefined) return compare(attribute, "equals", listed(own))
      lose("import-custom-strategy", node, `the strategy \`${name}\``)
      return never
    }
  }
}

const textOperators: Readonly<Record<string, string>> = {
  STR_STARTS_WITH: "startsWith",
  STR_ENDS_WITH: "endsWith",
  STR_CONTAINS: "contains",
}
const numberOperators: Readonly<Record<string, readonly string[]>> = {
  NUM_EQ: ["greaterThanOrEquals", "lessThanOrEquals"],
  ...{
    NUM_GT: ["greaterThan"],
    NUM_GTE: ["greaterThanOrEquals"],
    NUM_LT: ["lessThan"],
    NUM_LTE: ["lessThanOrEquals"],
  },
}
const versionOperators: Readonly<Record<string, string>> = {
  ...{ SEMVER_EQ: "semverEquals", SEMVER_GT: "semverGreaterThan", SEMVER_LT: "semverLessThan" },
  ...{ SEMVER_GTE: "semverGreaterThanOrEquals", SEMVER_LTE: "semverLessThanOrEquals" },
}

/** `inverted` turns the whole round, a missing attribute included. */
export function constraintCondition(node: Node, lose: Lose): Condition {
  const positive = positiveConstraint(node, lose)
  return isTrue(at(node, "inverted")) ? none(positive) : positive
}

function positiveConstraint(node: Node, lose: Lose): Condition {
  const attribute = textOf(at(node, "contextName")) ?? ""
  const operator = textOf(at(node, "operator")) ?? ""
  const values = textsOf(at(node, "values"))
    .filter((value) => value !== "")
    .map((value) => value.trim())
  const value = scalarText(at(node, "value")) ?? ""
  const ignoreCase = isTrue(at(node, "caseInsensitive"))
  if (operator === "IN") return compare(attribute, "equals", values)
  if (operator === "NOT_IN") return none(compare(attribute, "equals", values))
  const onTexts = textOperators[operator]
  if (onTexts !== undefined)
    return values.includes("") ? exists(attribute) : compare(attribute, onTexts, values, ignoreCase)
  const onNumbers = numberOperators[operator]
  if (onNumbers !== undefined) {
    const number = Number(value)
    return Number.isFinite(number)
      ? all(...onNumbers.map((one) => compare(attribute, one, [String(number)])))
      : never
  }
  const onVersions = versionOperators[operator]
  if (onVersions !== undefined)
    return /^\d+\.\d+\.\d+(?:[-+].*)?$/.test(value) ? compare(attribute, onVersions, [value]) : never
  if (operator === "REGEX") return compare(attribute, "matches", [`${ignoreCase ? "(?i)" : ""}${value}`])
  if (operator === "DATE_AFTER" || operator === "DATE_BEFORE") {
    lose("import-clock", node, "a date, which Unleash compares with `currentTime` or with its clock")
    const moment = Date.parse(value)
    return Number.isNaN(moment)
      ? never
      : compare("currentTime", operator === "DATE_AFTER" ? "after" : "before", [
          new Date(moment).toISOString(),
        ])
  }
  lose("import-operator", node, `the operator \`${operator}\``)
  return never
}
