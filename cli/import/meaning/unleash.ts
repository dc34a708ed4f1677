import { type Attributes, type Bucket, type Meaning, toValue } from "../form/form.ts"
import { at, isTrue, items, type Node, scalarText, textOf, textsOf } from "../form/tree.ts"
import type { UnleashFeature, UnleashScope } from "../sources/unleash.ts"
import { expression } from "./expression.ts"
import { compareSemver } from "./semver.ts"

/** `undefined` where chance or the clock decides, which nothing can be compared with. */
type Truth = boolean | undefined

/** Whether a feature is on, as client.ts and strategy.ts say it. Attributes are texts; properties lie among them. */
export function unleashMeaning(feature: UnleashFeature, scope: UnleashScope): Meaning {
  return (attributes, bucket, isOn = feature.enabled) => {
    const text = (name: string) => attributes(name) as string | undefined
    const isOnHere = isEnabled({ ...feature, enabled: isOn }, scope, text, bucket)
    return isOnHere === undefined ? undefined : toValue(isOnHere)
  }
}

type Texts = (name: string) => ReturnType<Attributes> & (string | undefined)

function isEnabled(feature: UnleashFeature, scope: UnleashScope, text: Texts, bucket: Bucket): Truth {
  for (const dependency of feature.dependencies) {
    const parent = scope.features.get(textOf(at(dependency, "feature")) ?? "")
    if (parent === undefined || parent.dependencies.length > 0) return false
    const isOn = isEnabled(parent, scope, text, bucket)
    if (isOn === undefined) return undefined
    if (isOn !== (at(dependency, "enabled")?.value !== false)) return false
  }
  if (!feature.enabled) return false
  if (feature.strategies.length === 0) return true
  return some(feature.strategies, (strategy) => {
    const segments = items(at(strategy, "segments")).map((id) => scope.segments.get(scalarText(id) ?? ""))
    if (segments.includes(undefined)) return false
    const constraints = [strategy, ...segments].flatMap((one) => items(at(one, "constraints")))
    for (const constraint of constraints) {
      const holds = isMet(constraint, text)
      if (holds !== true) return holds
    }
    return isFor(strategy, feature.key, scope, text, bucket)
  })
}

/** True where one is, else unknown where one is. */
function some(all: readonly Node[], test: (one: Node) => Truth): Truth {
  const found = all.map(test)
  return found.includes(true) || (found.includes(undefined) ? undefined : false)
}

function isMet(constraint: Node, text: Texts): Truth {
  const holds = compares(constraint, text)
  return holds === undefined ? undefined : holds !== isTrue(at(constraint, "inverted"))
}

function compares(constraint: Node, text: Texts): Truth {
  const name = textOf(at(constraint, "contextName")) ?? ""
  const operator = textOf(at(constraint, "operator")) ?? ""
  const isFolded = isTrue(at(constraint, "caseInsensitive"))
  const fold = (one: string) => (isFolded ? one.toLocaleLowerCase() : one)
  const values = textsOf(at(constraint, "values"))
    .filter((one) => one !== "")
    .map((one) => one.trim())
  const operand = scalarText(at(constraint, "value")) ?? ""
  const value = text(name)
  switch (operator) {
    case "IN":
      return values.some((one) => one === value)
    case "NOT_IN":
      return !values.some((one) => one === value)
    case "STR_STARTS_WITH":
      return value !== undefined && values.some((one) => fold(value).startsWith(fold(one)))
    case "STR_ENDS_WITH":
      return value !== undefined && values.some((one) => fold(value).endsWith(fold(one)))
    case "STR_CONTAINS":
      return value !== undefined && values.some((one) => fold(value).includes(fold(one)))
    case "NUM_EQ":
      return Number(value) === Number(operand)
    case "NUM_GT":
      return Number(value) > Number(operand)
    case "NUM_GTE":
      return Number(value) >= Number(operand)
    case "NUM_LT":
      return Number(value) < Number(operand)
    case "NUM_LTE":
      return Number(value) <= Number(operand)
    case "DATE_AFTER":
    case "DATE_BEFORE": {
      const now = text("currentTime")
      if (!now) return undefined
      const distance = Date.parse(now) - Date.parse(operand)
      return operator === "DATE_AFTER" ? distance > 0 : distance < 0
    }
    case "REGEX":
      return value !== undefined && (expression(`${isFolded ? "(?i)" : ""}${operand}`)?.(value) ?? false)
    default: {
      const order = compareSemver(value ?? "", operand)
      if (order === undefined) return false
      const holds: Readonly<Record<string, boolean>> = {
        ...{ SEMVER_EQ: order === 0, SEMVER_GT: order > 0, SEMVER_LT: order < 0 },
        ...{ SEMVER_GTE: order >= 0, SEMVER_LTE: order <= 0 },
      }
      return holds[operator] ?? false
    }
  }
}

function isFor(
  strategy: Node,
  feature: string,
  { strategies }: UnleashScope,
  text: Texts,
  bucket: Bucket,
): Truth {
  const name = textOf(at(strategy, "name")) ?? textOf(at(strategy, "strategyName")) ?? ""
  const parameter = (name: string) => scalarText(at(strategy, "parameters", name)) ?? ""
  const group = parameter("groupId") || feature
  const isInShare = (id: string | undefined, percent: number) =>
    Boolean(id) && percent > 0 && Math.floor(bucket(group, id ?? "") * 100) + 1 <= percent
  const byChance = (percent: number): Truth => (percent >= 100 ? true : percent > 0 ? undefined : false)
  switch (name) {
    case "default":
      return true
    case "userWithId":
      return (
        parameter("userIds") !== "" &&
        parameter("userIds")
          .split(/\s*,\s*/)
          .includes(text("userId") ?? "\0")
      )
    case "gitlabUserList":
      return (textOf(at(strategy, "user_list", "user_xids")) ?? "")
        .split(",")
        .includes(text("userId") ?? "\0")
    case "gradualRolloutUserId":
      return isInShare(text("userId"), Number(parameter("percentage")))
    case "gradualRolloutSessionId":
      return isInShare(text("sessionId"), Number(parameter("percentage")))
    case "gradualRolloutRandom":
      return byChance(Number(parameter("percentage")))
    case "remoteAddress":
      return parameter("IPs")
        .split(/\s*,\s*/)
        .includes(text("remoteAddress") ?? "\0")
    case "flexibleRollout": {
      const percent = Number(parameter("rollout"))
      const stickiness = parameter("stickiness") || "default"
      if (stickiness === "random") return byChance(percent)
      if (stickiness !== "default") return isInShare(text(stickiness), percent)
      const id = text("userId") || text("sessionId")
      return id ? isInShare(id, percent) : byChance(percent)
    }
    default: {
      const [, attribute, own] = /^in:([^:]+):(.+)$/.exec(strategies.get(name) ?? "") ?? []
      if (attribute === undefined || own === undefined) return false
      return parameter(own)
        .split(/\s*,\s*/)
        .includes(text(attribute) ?? "\0")
    }
  }
}
