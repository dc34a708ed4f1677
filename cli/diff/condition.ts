import type { Condition } from "../../sdk/evaluation/condition.ts"

/** Whether it is certain that no context matches. */
export function neverMatches({ operator, value }: Condition): boolean {
  return operator === "percentage" && Number(value) === 0
}

/** Whether both are written alike, apart from the order of a list and the notation of a number. */
export function sameCondition(a: Condition, b: Condition): boolean {
  if (a.attribute !== b.attribute || a.operator !== b.operator) return false
  if (a.value === b.value) return true
  if (numeric.has(a.operator)) return Number(a.value) === Number(b.value)
  if (a.operator !== "in" && a.operator !== "notIn") return false
  const [textsOfA, textsOfB] = [new Set(listOf(a)), new Set(listOf(b))]
  return textsOfA.size === textsOfB.size && [...textsOfA].every((text) => textsOfB.has(text))
}

const numeric = new Set(["percentage", "greaterThan", "greaterThanOrEquals", "lessThan", "lessThanOrEquals"])

/** Whether it is certain that every context that matches `a` matches `b`, too. `false`: it is not known. */
export function implies(a: Condition, b: Condition): boolean {
  if (b.operator === "always" || neverMatches(a)) return true
  if (a.attribute !== b.attribute || a.operator === "always") return false
  if (sameCondition(a, b)) return true
  // It is not known what a project's own operators do with a missing attribute.
  if (b.operator === "exists") return comparing.has(a.operator)
  if (a.operator === "percentage" && b.operator === "percentage") return Number(a.value) <= Number(b.value)
  const values = textsOf(a)
  return values?.every((text) => admits(b, text) === true) ?? false
}

/** Whether it is certain that no context matches both. `false`: it is not known. */
export function excludes(a: Condition, b: Condition): boolean {
  if (neverMatches(a) || neverMatches(b)) return true
  if (a.attribute !== b.attribute || a.operator === "always" || b.operator === "always") return false
  if (a.operator === "notExists") return comparing.has(b.operator)
  if (b.operator === "notExists") return comparing.has(a.operator)
  if (a.operator === "startsWith" && b.operator === "startsWith")
    return !a.value.startsWith(b.value) && !b.value.startsWith(a.value)
  if (a.operator === "endsWith" && b.operator === "endsWith")
    return !a.value.endsWith(b.value) && !b.value.endsWith(a.value)
  return (
    (a.operator === opposites.get(b.operator) && a.value === b.value) ||
    (textsOf(a)?.every((text) => admits(b, text) === false) ?? false) ||
    (textsOf(b)?.every((text) => admits(a, text) === false) ?? false)
  )
}

/** The operators that match only contexts with the attribute: all of Flagstone's own except `notExists` and `always`. */
const comparing = new Set([
  ..."equals notEquals contains notContains startsWith endsWith matches notMatches in notIn exists percentage".split(
    " ",
  ),
  ..."greaterThan greaterThanOrEquals lessThan lessThanOrEquals before after semverEquals semverNotEquals".split(
    " ",
  ),
  ..."semverGreaterThan semverGreaterThanOrEquals semverLessThan semverLessThanOrEquals".split(" "),
])

const opposites: ReadonlyMap<string, string> = new Map(
  [
    ["equals", "notEquals"],
    ["contains", "notContains"],
    ["matches", "notMatches"],
    ["in", "notIn"],
    ["greaterThan", "lessThanOrEquals"],
    ["lessThan", "greaterThanOrEquals"],
    ["semverEquals", "semverNotEquals"],
    ["semverGreaterThan", "semverLessThanOrEquals"],
    ["semverLessThan", "semverGreaterThanOrEquals"],
  ].flatMap(([a = "", b = ""]) => [[a, b] as const, [b, a] as const]),
)

/** The texts of `in` and `notIn`, which travel as a JSON array in a string. */
export function listOf(condition: Condition): readonly string[] {
  const known = lists.get(condition)
  if (known !== undefined) return known
  const list: readonly string[] = JSON.parse(condition.value)
  lists.set(condition, list)
  return list
}

/** Every list is parsed once, since every rule is compared with many others. */
const lists = new WeakMap<Condition, readonly string[]>()

/** All texts that the condition matches; `undefined` where they are not listed. */
function textsOf(condition: Condition): readonly string[] | undefined {
  if (condition.operator === "equals") return [condition.value]
  return condition.operator === "in" ? listOf(condition) : undefined
}

/** Whether the condition matches that text; `undefined` where comparing texts cannot tell. */
function admits(condition: Condition, text: string): boolean | undefined {
  switch (condition.operator) {
    case "equals":
      return text === condition.value
    case "notEquals":
      return text !== condition.value
    case "in":
      return listOf(condition).includes(text)
    case "notIn":
      return !listOf(condition).includes(text)
    case "contains":
      return text.includes(condition.value)
    case "notContains":
      return !text.includes(condition.value)
    case "startsWith":
      return text.startsWith(condition.value)
    case "endsWith":
      return text.endsWith(condition.value)
    default:
      return undefined
  }
}
