import { brokenPaths, type Report } from "../diagnostics/diagnostic.ts"
import { operatorIn } from "../language/condition.ts"
import { type Operand, operators } from "../language/operators.ts"
import { listUsesIn } from "../language/references.ts"
import { attributeUses, conditionsIn, type WithConditions } from "../reading/conditions-in-file.ts"
import type { Project } from "../reading/project.ts"
import { askedValuesAreGiven } from "./asked-values-are-given.ts"
import { attributesAreFlat } from "./attributes-are-flat.ts"
import { attributesDifferClearly } from "./attributes-differ-clearly.ts"
import { caseIsOfAscii } from "./case-is-of-ascii.ts"
import type { CheckedFiles } from "./check-files.ts"
import { type ComparisonCheck, readComparison } from "./comparison.ts"
import { configurationsHaveEffect } from "./configurations-have-effect.ts"
import { expressionsHaveNoSlashes } from "./expressions-have-no-slashes.ts"
import { flagsHaveNotExpired } from "./flags-have-not-expired.ts"
import { listItemsAreUnique } from "./list-items-are-unique.ts"
import { listLinesAreUnique } from "./list-lines-are-unique.ts"
import { operandsAreNotEmpty } from "./operands-are-not-empty.ts"
import { percentagesAreNoFractions } from "./percentages-are-no-fractions.ts"
import { rulesHaveEffect } from "./rules-have-effect.ts"
import { schedulesAreNotOver } from "./schedules-are-not-over.ts"
import { segmentsAreUsed } from "./segments-are-used.ts"
import { segmentsPickTheSameUsers } from "./segments-pick-the-same-users.ts"
import { sharesAreAsWideAsWritten } from "./shares-are-as-wide-as-written.ts"
import { sharesAreOfMany } from "./shares-are-of-many.ts"
import { sharesDoNotOverlap } from "./shares-do-not-overlap.ts"
import { textsAreFilledIn } from "./texts-are-filled-in.ts"
import { textsHaveNoBlanksAround } from "./texts-have-no-blanks-around.ts"
import { textsHaveNoWildcards } from "./texts-have-no-wildcards.ts"
import { valuesAreReadAlike } from "./values-are-read-alike.ts"
import { versionsAreNoNumbers } from "./versions-are-no-numbers.ts"

/** Checks of a single comparison, by what its operator compares with. Each works alone. */
const comparisonChecks: Readonly<Partial<Record<Operand, readonly ComparisonCheck[]>>> = {
  text: [operandsAreNotEmpty, textsHaveNoBlanksAround, textsHaveNoWildcards, textsAreFilledIn, caseIsOfAscii],
  expression: [operandsAreNotEmpty, expressionsHaveNoSlashes],
  number: [versionsAreNoNumbers],
}

/** The same for operators that take a list. */
const listChecks = [
  operandsAreNotEmpty,
  textsAreFilledIn,
  textsHaveNoBlanksAround,
  listItemsAreUnique,
  caseIsOfAscii,
]

/**
 * Reports what compiles but should probably be changed. Only lint does, because a build has no clock. `now` is in
 * milliseconds since 1970.
 */
export function advise(
  { flags, defined: segments, invariants, isWhole }: CheckedFiles,
  project: Project,
  now: number,
  report: Report,
): void {
  const broken = brokenPaths(report)
  for (const flag of flags) {
    // What a flag does is unknown while its file has errors.
    if (!broken.has(flag.source.path)) {
      configurationsHaveEffect(flag, report)
      rulesHaveEffect(flag, report)
      askedValuesAreGiven(flag, report)
    }
    valuesAreReadAlike(flag, report)
    flagsHaveNotExpired(flag, now, report)
    sharesAreAsWideAsWritten(flag, report)
  }
  for (const file of [...flags, ...segments]) {
    schedulesAreNotOver(file, project, now, report)
    attributesAreFlat(file, project, report)
    percentagesAreNoFractions(file, report)
    sharesAreOfMany(file, project, report)
    adviseOnComparisons(file, report)
  }
  for (const invariant of invariants) adviseOnComparisons(invariant, report)
  attributesDifferClearly([...segments, ...flags], project, report)
  segmentsPickTheSameUsers(segments, flags, report)
  sharesDoNotOverlap(flags, report)
  adviseOnLists([...segments, ...flags, ...invariants], report)
  // A file that cannot be read may use any segment.
  if (isWhole) segmentsAreUsed(segments, [...flags, ...invariants], project, report)
}

/** The part of the advice about the lists that conditions use, which can have fixes. */
export function adviseOnLists(files: readonly WithConditions[], report: Report): void {
  const lists = files.flatMap((file) =>
    [...conditionsIn(file)].flatMap(listUsesIn).flatMap((use) => file.references.files?.get(use.file) ?? []),
  )
  for (const list of new Set(lists)) listLinesAreUnique(list, report)
}

/** The part of the advice about comparisons that can have fixes. */
export function adviseOnComparisons(file: WithConditions, report: Report): void {
  const { source } = file
  for (const { condition } of attributeUses(file)) {
    const row = operators.get(operatorIn(condition))
    const checks = row && (row.takesList ? listChecks : comparisonChecks[row.operand])
    const comparison = checks && readComparison(condition, row, source)
    if (comparison !== undefined) for (const check of checks ?? []) check(comparison, report)
  }
}
