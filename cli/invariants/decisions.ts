import type { Json } from "../../sdk/contract/snapshot.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { complement } from "../conditions/context-set.ts"
import type { Language } from "../conditions/predicate.ts"
import { isIn } from "../conditions/witness.ts"
import { createWork, stepsForFlag } from "../conditions/work.ts"
import { type Location, type Span, wholeFile } from "../diagnostics/diagnostic.ts"
import { outcomesOf } from "../flag/outcomes.ts"
import { sameValue } from "../language/canonical-json.ts"
import { type Condition, type FlagUse, visit } from "../language/condition.ts"
import type { Flag, Invariant } from "../language/flag.ts"
import { memberOf } from "../language/tree.ts"
import { spanOfCondition } from "../reading/condition.ts"

/** What a flag gives a context, and why. */
export interface Decision {
  readonly use: FlagUse
  readonly value: Json
  /** The number of the rule in the file, from 1, or why no rule decides. */
  readonly by: number | "its default" | "disabled" | "not configured"
  readonly location: Location
}

/**
 * What flags of an invariant give a context that breaks it. Left out are a flag for which that is not certain, and the
 * flags of alternatives, such as pairs of `atMostOne`, that the context does not fulfil.
 */
export function decisionsIn(
  invariant: Invariant,
  environment: string,
  context: Context,
  { flags, ...language }: Language & { readonly flags: readonly Flag[] },
): readonly Decision[] {
  const violation = invariant.violationIn(environment)
  if (violation === undefined) return []
  const byKey = new Map(flags.map((flag) => [flag.key, flag]))
  const decide = (use: FlagUse) => {
    const flag = byKey.get(use.key)
    return flag && decisionOf(flag, use, context, language)
  }
  const decisions = new Map([...usesIn(violation)].map(([name, use]) => [name, decide(use)] as const))
  const fails = (part: Condition) => {
    const decision = part.kind === "flag" ? decisions.get(nameOf(part)) : undefined
    return part.kind === "flag" && decision !== undefined && !sameValue(decision.value, part.is)
  }
  const alternatives = violation.kind === "any" ? violation.parts : [violation]
  const fulfilled = alternatives.filter(
    (choice) => !(choice.kind === "all" ? choice.parts : [choice]).some(fails),
  )
  return [...usesIn({ kind: "any", parts: fulfilled }).keys()].flatMap((name) => decisions.get(name) ?? [])
}

/** The flags of a condition in their environments, each once. */
function usesIn(condition: Condition): ReadonlyMap<string, FlagUse> {
  const uses = [...visit(condition)].filter((part) => part.kind === "flag")
  return new Map(uses.map((use) => [nameOf(use), use]))
}

const nameOf = ({ key, environment }: FlagUse) => JSON.stringify([key, environment])

function decisionOf(
  flag: Flag,
  use: FlagUse,
  context: Context,
  { compileExpression }: Language,
): Decision | undefined {
  const { source, configurations } = flag
  const at = (span: Span | undefined) => ({ source, span: span ?? wholeFile })
  const byDefault = (by: Decision["by"], span: Span | undefined): Decision => ({
    ...{ use, value: flag.defaultValue, by, location: at(span) },
  })
  const configuration = configurations.get(use.environment)
  if (configuration === undefined) return byDefault("not configured", flag.defaultNode)
  if (!configuration.enabled) return byDefault("disabled", memberOf(configuration.node, "enabled")?.value)
  const work = createWork(stepsForFlag)
  for (const { contexts, gives, rule } of outcomesOf(flag, use.environment, compileExpression)) {
    if (rule === undefined) break
    if (isIn(contexts, context, work))
      return { use, value: gives, by: rule.number, location: at(spanOfCondition(rule.condition)) }
    // An operator of the project's own: only its SDKs can say.
    if (!isIn(complement(contexts), context, work)) return undefined
  }
  return byDefault("its default", flag.defaultNode)
}
