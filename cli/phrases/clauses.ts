import type { Condition, ParsedCondition } from "../../sdk/evaluation/condition.ts"
import { isAlways } from "../../sdk/evaluation/operators.ts"
import { namesTexts, textsOf } from "../language/comparisons.ts"
import type { ConditionNames } from "./condition-names.ts"
import { isRange, type ParsedClause } from "./joined-clauses.ts"

/** The clauses of a condition that all hold, or do not. Groups are opened; a condition with a name is one clause. */
export function clausesOf(
  parsed: ParsedCondition,
  names: ConditionNames,
  holds = true,
): readonly ParsedClause[] {
  const { kind, condition } = parsed
  if (kind === "comparison" && isAlways(condition.operator) && holds) return []
  // No one has a text of an empty list.
  if (
    !holds &&
    names.referenceOf(condition) === undefined &&
    namesTexts(condition) &&
    textsOf(condition).length === 0
  )
    return []
  const isOpen = isSpelled(parsed, names) && !(names.ruleOf(condition) !== undefined && !holds)
  if (isOpen && kind === (holds ? "all" : "any"))
    return parsed.parts.flatMap((part) => clausesOf(part, names, holds))
  if (isOpen && kind === "none" && holds) return parsed.parts.flatMap((part) => clausesOf(part, names, false))
  return [{ parsed, holds }]
}

/** Whether a condition is a group that has no name. */
export function isSpelled(
  parsed: ParsedCondition,
  names: ConditionNames,
): parsed is Extract<ParsedCondition, { parts: object }> {
  return "parts" in parsed && names.referenceOf(parsed.condition) === undefined
}

/** The clauses that exclude a rule by its number, except those that are the end of a range. */
export function rulesIn(clauses: readonly ParsedClause[], names: ConditionNames): readonly ParsedClause[] {
  return clauses.filter(
    (clause) =>
      !clause.holds &&
      names.ruleOf(clause.parsed.condition) !== undefined &&
      !clauses.some((other) => isRange(clause, other)),
  )
}

/** Whether a clause excludes users who match several conditions at once, and is not a numbered rule. */
export function isException({ parsed, holds }: ParsedClause, names: Names): boolean {
  return !holds && parsed.kind === "all" && isSpelled(parsed, names) && !names.ruleOf(parsed.condition)
}

/** The names, and the one attribute whose values read as places, so that it is not named: `in DE`. */
export type Names = ConditionNames & { readonly place: string | undefined }

/** The names for a condition's words. */
export function withPlace(parsed: ParsedCondition, names: ConditionNames): Names {
  const places = placesIn(parsed, names)
  return { ...names, place: (places.find(({ holds }) => holds) ?? places[0])?.attribute }
}

function placesIn(
  parsed: ParsedCondition,
  names: ConditionNames,
  holds = true,
): readonly { readonly attribute: string; readonly holds: boolean }[] {
  if (isSpelled(parsed, names))
    return parsed.parts.flatMap((part) => placesIn(part, names, holds === (parsed.kind !== "none")))
  return isPlace(parsed.condition) ? [{ attribute: parsed.condition.attribute, holds }] : []
}

/** Whether a comparison names places, such as countries. */
export function isPlace(condition: Condition): boolean {
  return namesTexts(condition) && arePlaces(condition.attribute, textsOf(condition))
}

/** Whether texts of an attribute name places. */
export function arePlaces(attribute: string, texts: readonly string[]): boolean {
  return /(country|region|market|city|continent)$/i.test(attribute) && !texts.includes("")
}
