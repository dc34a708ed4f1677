import { createReport, type Report } from "../diagnostics/diagnostic.ts"
import type { Flag, Invariant, Segment } from "../language/flag.ts"
import type { ConditionCheck } from "../reading/conditions-in-file.ts"
import type { Project } from "../reading/project.ts"
import { attributesAreKnown } from "./attributes-are-known.ts"
import type { Check, ProjectCheck, RuleCheck, SegmentsCheck } from "./check.ts"
import { expiriesAreDates } from "./expiries-are-dates.ts"
import { expressionsAreBounded } from "./expressions-are-bounded.ts"
import { flagsAreKnown } from "./flags-are-known.ts"
import { groupsAreBounded } from "./groups-are-bounded.ts"
import { idsAreUnique } from "./ids-are-unique.ts"
import { invariantsAreForEveryFlag, invariantsHaveNames } from "./invariants-are-for-every-flag.ts"
import { jsonValuesFitSchema } from "./json-values-fit-schema.ts"
import { keysMatchPattern } from "./keys-match-pattern.ts"
import { linksAreAddresses } from "./links-are-addresses.ts"
import { listsAreThere } from "./lists-are-there.ts"
import { momentsAreFew } from "./moments-are-few.ts"
import { keysAreUnique, segmentsAreUnique } from "./names-are-unique.ts"
import { numbersAreExact } from "./numbers-are-exact.ts"
import { rampsGive } from "./ramps-give.ts"
import { requiredFieldsAreThere } from "./required-fields-are-there.ts"
import { ruleIdsAreUnique } from "./rule-ids-are-unique.ts"
import { rulesAreReachable } from "./rules-are-reachable.ts"
import { rulesAreUnique } from "./rules-are-unique.ts"
import { segmentNamesMatchPattern } from "./segment-names-match-pattern.ts"
import { segmentsAreFinite } from "./segments-are-finite.ts"
import { segmentsAreKnown } from "./segments-are-known.ts"
import { soundRules } from "./sound-rules.ts"
import { splitsAddUp } from "./splits-add-up.ts"
import { splitsAreWhole } from "./splits-are-whole.ts"
import { tagsAreKnown } from "./tags-are-known.ts"
import { valuesHaveTheType } from "./values-have-the-type.ts"

/** Checks of conditions wherever they are. */
const conditionChecks: readonly ConditionCheck[] = [
  segmentsAreKnown,
  listsAreThere,
  flagsAreKnown,
  attributesAreKnown,
  rampsGive,
]

/** Checks that a schema cannot express. Each works alone; they follow the order of a file, from top to bottom. */
const flagChecks: readonly Check[] = [
  keysMatchPattern,
  valuesHaveTheType,
  numbersAreExact,
  jsonValuesFitSchema,
  expiriesAreDates,
  splitsAddUp,
  ...conditionChecks,
  groupsAreBounded,
  momentsAreFew,
  splitsAreWhole,
  tagsAreKnown,
  linksAreAddresses,
  requiredFieldsAreThere,
  expressionsAreBounded,
  ruleIdsAreUnique,
]

/** Checks of a flag's sound rules together. */
const ruleChecks: readonly RuleCheck[] = [rulesAreReachable, rulesAreUnique]

/** Checks that need all files. */
const projectChecks: readonly ProjectCheck[] = [keysAreUnique, idsAreUnique]

const segmentsChecks: readonly SegmentsCheck[] = [
  segmentNamesMatchPattern,
  segmentsAreUnique,
  segmentsAreFinite,
]

/** Checks the segments of a project, each by itself and against each other. */
export function checkSegments(segments: readonly Segment[], project: Project, report: Report): void {
  for (const segment of segments)
    for (const check of [...conditionChecks, groupsAreBounded]) check(segment, project, report)
  for (const check of segmentsChecks) check(segments, report)
}

/** Checks the invariants of a file, each by itself and against each other. */
export function checkInvariants(invariants: readonly Invariant[], project: Project, report: Report): void {
  for (const invariant of invariants)
    for (const check of [invariantsAreForEveryFlag, ...conditionChecks]) check(invariant, project, report)
  invariantsHaveNames(invariants, report)
}

/** Whether what a flag gives is unknown, because its form or a value is wrong. */
export function hasWrongForm(flag: Flag, project: Project, ofForm: Report): boolean {
  const ofValues = createReport()
  valuesHaveTheType(flag, project, ofValues)
  return ofForm.hasErrors || ofValues.hasErrors
}

/** Checks one flag by itself. */
export function checkFlag(flag: Flag, project: Project, report: Report): void {
  for (const check of flagChecks) check(flag, project, report)
  const isSound = soundRules(flag, report)
  for (const check of ruleChecks) check(flag, isSound, project, report)
}

/** Checks the flags of a project against each other. */
export function checkFlagsTogether(flags: readonly Flag[], project: Project, report: Report): void {
  for (const check of projectChecks) check(flags, project, report)
}
