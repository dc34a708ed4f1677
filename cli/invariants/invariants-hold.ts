import { createExpressions } from "../../sdk/evaluation/expression.ts"
import type { Doubt } from "../conditions/answer.ts"
import { jsonContext } from "../conditions/json-context.ts"
import type { Finding, Report } from "../diagnostics/diagnostic.ts"
import { joinLast, joinPhrases, messageOf, type Phrase, phrase, whole } from "../diagnostics/phrase.ts"
import { visit } from "../language/condition.ts"
import { loadEngine } from "../language/expression-engine.ts"
import type { Invariant } from "../language/flag.ts"
import type { Project } from "../reading/project.ts"
import { type Decision, decisionsIn } from "./decisions.ts"
import { type Guarded, isIdle, isListOrObject, type Violation, violationsOf } from "./violations.ts"

/** Each invariant holds for every user, in each of its environments. The files must have no mistakes. */
export function invariantsHold(
  {
    project,
    flags,
    invariants,
  }: Omit<Guarded, "compileExpression" | "attributes"> & { readonly project: Project },
  report: Report,
): void {
  if (invariants.length === 0) return
  const { attributes } = project
  const guarded = { flags, invariants, attributes, compileExpression: createExpressions(loadEngine) }
  const byInvariant = Map.groupBy(violationsOf(guarded), ({ invariant }) => invariant)
  for (const invariant of invariants) {
    const violations = byInvariant.get(invariant) ?? []
    if (violations.length > 0) for (const finding of findingsOf(violations, guarded)) report.add(finding)
    else if (isIdle(invariant, guarded)) report.add(idleFinding(invariant))
  }
}

/** One diagnostic for what breaks an invariant, with the first environment's counterexample; else one for what may. */
export function findingsOf(violations: readonly Violation[], guarded: Guarded): readonly Finding[] {
  const broken = violations.filter(({ witness }) => witness !== undefined)
  const [first] = broken.toSorted((a, b) => Number(a.isOnlyLists) - Number(b.isOnlyLists))
  if (first !== undefined) {
    const elsewhere = broken.flatMap((violation) =>
      violation === first ? [] : [phrase`${violation.environment}`],
    )
    return [brokenFinding(first, elsewhere, guarded)]
  }
  return violations
    .filter(({ invariant }) => !invariant.mayBeUnknown)
    .slice(0, 1)
    .map(uncertainFinding)
}

function brokenFinding(
  { invariant, environment, witness = {}, isOnlyLists }: Violation,
  elsewhere: readonly Phrase[],
  guarded: Guarded,
): Finding {
  const decisions = decisionsIn(invariant, environment, witness, guarded)
  const because = becauseOf(invariant, decisions, environment)
  const also =
    elsewhere.length === 0 ? phrase`` : phrase` It is broken in ${joinLast(elsewhere, "and")} as well.`
  const [attribute = ""] = Object.keys(witness).filter((name) => isListOrObject(witness[name]))
  const lists = isOnlyLists
    ? phrase` Only a list or an object breaks it: declare the type of ${attribute} in ${["`project.yaml`"]} if it is neither.`
    : phrase``
  const context = JSON.stringify(jsonContext(witness) ?? witness)
  return {
    code: "broken-invariant",
    ...(isOnlyLists && { severity: "warning" }),
    ...messageOf(
      phrase`In ${environment}, ${whole(invariant.name.text)} does not hold for the context ${whole(context)}${because}${also}${lists}`,
    ),
    source: invariant.source,
    span: invariant.name.span,
    related: decisions.map((decision) => ({
      ...messageOf(phrase`${wordsOf(decision, environment)}.`),
      location: decision.location,
    })),
  }
}

function becauseOf({ conditions }: Invariant, decisions: readonly Decision[], environment: string): Phrase {
  const words = decisions.map((decision) => wordsOf(decision, environment))
  if (words.length > 0) return phrase`: ${joinLast(words, "and")}.`
  const namesFlag = conditions.some((condition) => [...visit(condition)].some(({ kind }) => kind === "flag"))
  return namesFlag ? phrase`.` : phrase`. It names no flag, so no rule can mend it.`
}

/** Such as: `tracking` gives `true` (rule 2). */
function wordsOf({ use, value, by }: Decision, environment: string): Phrase {
  const within = use.environment === environment ? phrase`` : phrase` in ${use.environment}`
  const words = phrase`${use.key} gives ${JSON.stringify(value)}${within}`
  return joinPhrases([words, [typeof by === "number" ? `(rule ${by})` : `(${by})`]], " ")
}

function uncertainFinding({ invariant, environment, doubt = "bound" }: Violation): Finding {
  return {
    code: "uncertain-invariant",
    ...messageOf(
      phrase`In ${environment}, it is not known whether ${whole(invariant.name.text)} always holds: ${[doubtWords[doubt]]}. Change that, or write ${["`unless: unknown`"]} to allow it.`,
    ),
    source: invariant.source,
    span: invariant.name.span,
  }
}

const doubtWords: Readonly<Record<Doubt, string>> = {
  expression: "it depends on a regular expression",
  operator: "it depends on an operator of the project's own",
  mixture: "an attribute is compared in several ways, such as text and number",
  bound: "too many rules work together",
}

function idleFinding({ name, source }: Invariant): Finding {
  const words = phrase`No rules could break ${whole(name.text)}, so it protects nothing. Change or remove it.`
  return { code: "idle-invariant", ...messageOf(words), source, span: name.span }
}
