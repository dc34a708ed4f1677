import type { Report } from "../../diagnostics/diagnostic.ts"
import type { Definition, Outline } from "../definition/definition.ts"
import type { Project } from "../definition/project.ts"
import { attributesAreKnown } from "./attributes-are-known.ts"
import type { Check, ProjectCheck } from "./check.ts"
import { conditionsHaveOneForm } from "./conditions-have-one-form.ts"
import { expiriesAreDates } from "./expiries-are-dates.ts"
import { groupsAreBounded } from "./groups-are-bounded.ts"
import { idsAreUnique } from "./ids-are-unique.ts"
import { keysAreUnique } from "./keys-are-unique.ts"
import { keysMatchPattern } from "./keys-match-pattern.ts"
import { numbersAreExact } from "./numbers-are-exact.ts"
import { operandsFitOperators } from "./operands-fit-operators.ts"
import { requiredMembersAreThere } from "./required-members-are-there.ts"
import { ruleIdsAreUnique } from "./rule-ids-are-unique.ts"
import { rulesAreReachable } from "./rules-are-reachable.ts"
import { rulesAreUnique } from "./rules-are-unique.ts"
import { tagsAreKnown } from "./tags-are-known.ts"
import { valuesHaveTheType } from "./values-have-the-type.ts"

/** What a schema cannot express. Each check works alone; the order is that of a file, from top to bottom. */
const flagChecks: readonly Check[] = [
  keysMatchPattern,
  valuesHaveTheType,
  numbersAreExact,
  expiriesAreDates,
  conditionsHaveOneForm,
  groupsAreBounded,
  operandsFitOperators,
  attributesAreKnown,
  tagsAreKnown,
  requiredMembersAreThere,
  rulesAreReachable,
  rulesAreUnique,
  ruleIdsAreUnique,
]

/** What one file alone cannot show. */
const projectChecks: readonly ProjectCheck[] = [keysAreUnique, idsAreUnique]

/** Checks one flag by itself. */
export function checkFlag(definition: Definition, project: Project, report: Report): void {
  for (const check of flagChecks) check(definition, project, report)
}

/** Checks the flags of a project against each other. */
export function checkFlagsTogether(outlines: readonly Outline[], project: Project, report: Report): void {
  for (const check of projectChecks) check(outlines, project, report)
}
