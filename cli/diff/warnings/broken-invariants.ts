import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { createReport, type Diagnostic } from "../../diagnostics/diagnostic.ts"
import { messageOf, phrase } from "../../diagnostics/phrase.ts"
import { findingsOf } from "../../invariants/invariants-hold.ts"
import { type Guarded, type Violation, violationsOf } from "../../invariants/violations.ts"
import type { Scope } from "../changes/change.ts"
import { invariantChanges } from "../changes/invariant-changes.ts"
import { environmentNames, type Side } from "../sides/side.ts"

/** The invariants that a change breaks: those that do not hold after it, and were not known to be broken before. */
export function brokenInvariants(
  before: Side,
  after: Side,
  scope: Scope,
  compileExpression: CompileExpression,
): readonly Diagnostic[] {
  const guarded = guardedOf(after, compileExpression)
  const now = violationsOf(guarded).filter(
    ({ environment, isOnlyLists }) => scope(environment) && !isOnlyLists, // lint warns of lists
  )
  if (now.length === 0) return []
  const known = new Set(violationsOf(guardedOf(before, compileExpression)).map(nameOf))
  const broken = now.filter(
    (violation) => !known.has(nameOf(violation)) && !known.has(nameOf({ ...violation, witness: {} })),
  )
  const report = createReport()
  for (const violations of Map.groupBy(broken, ({ invariant }) => invariant).values())
    for (const finding of findingsOf(violations, guarded)) report.add(finding)
  return report.diagnostics
}

/** Warns of the invariants that a change removes or edits, and which, as they were, it breaks. */
export function evadedInvariants(
  before: Side,
  after: Side,
  scope: Scope,
  compileExpression: CompileExpression,
): readonly Diagnostic[] {
  const changed = invariantChanges(before, after).map((change) => "invariant" in change && change.invariant)
  const invariants = (before.invariants ?? []).filter(({ name }) => changed.includes(name.text))
  const asItWas: Side = { ...after, invariants }
  const environments = environmentNames(after).filter(scope)
  return brokenInvariants(before, asItWas, (name) => environments.includes(name), compileExpression)
    .filter(({ code }) => code === "broken-invariant")
    .map((diagnostic) => {
      const words = diagnostic.phrase ?? [diagnostic.message]
      const message = messageOf(phrase`${words} The same change removes or edits the invariant.`)
      return { ...diagnostic, ...message, severity: "warning" }
    })
}

function guardedOf({ project, flags, invariants = [] }: Side, compileExpression: CompileExpression): Guarded {
  return { flags, invariants, attributes: project?.knownAttributes, compileExpression }
}

/** Equal for violations of one invariant in one environment, of which both are certain or neither is. */
function nameOf({ invariant, environment, witness }: Violation): string {
  return JSON.stringify([invariant.name.text, environment, witness !== undefined])
}
