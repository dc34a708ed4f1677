import type { Json } from "../../sdk/contract/snapshot.ts"
import type { Context, Evaluation } from "../../sdk/evaluation/evaluation.ts"
import type { CompileExpression } from "../../sdk/evaluation/expression.ts"
import { jsonContext } from "../conditions/json-context.ts"
import { reachOf } from "../conditions/reach.ts"
import { outcomesOf } from "../flag/outcomes.ts"
import { type Flag, numberOf, type RuleNumber } from "../language/flag.ts"

/** A way in which a flag can get its value in an environment: by one of its rules, or by none. */
export interface CountedOutcome {
  readonly flag: string
  readonly environment: string
  /** A rule's position, counted from 0, or what applies instead of rules. */
  readonly by: number | "default" | "disabled" | "unconfigured"
  /** How that rule is numbered in its file; absent: no rule. */
  readonly numbered?: RuleNumber
  readonly value: Json
  /** How often the cases reached it. */
  readonly hits: number
  /** A context that reaches it, as JSON; `undefined` if none is known, as with regular expressions. */
  readonly witness: Context | undefined
}

/** Counts which outcomes the evaluations reach. */
export interface Coverage {
  readonly count: (environment: string, evaluation: Evaluation) => void
  /** Every outcome of a flag in an environment that some context reaches, with its count so far. */
  readonly outcomesIn: (environment: string, flag: Flag) => readonly CountedOutcome[]
}

/** Starts counting. */
export function startCoverage(compileExpression: CompileExpression): Coverage {
  const hits = new Map<string, number>()
  return {
    count(environment, evaluation) {
      if (evaluation.kind === "unknownFlag") return
      const by = evaluation.kind === "evaluated" ? (evaluation.ruleId ?? evaluation.cause) : evaluation.ruleId
      const name = nameOf(environment, evaluation.key, by)
      hits.set(name, (hits.get(name) ?? 0) + 1)
    },
    outcomesIn: (environment, flag) =>
      reachableOf(flag, environment, compileExpression).map(({ id, ...outcome }): CountedOutcome => {
        const { key } = flag
        const count = hits.get(nameOf(environment, key, id)) ?? 0
        return { ...outcome, flag: key, environment, hits: count }
      }),
  }
}

/** Names an outcome of a flag in an environment; `id`: the rule's, or the cause. */
function nameOf(environment: string, flag: string, id: string): string {
  return JSON.stringify([environment, flag, id])
}

/** An outcome, and the rule's id or the cause by which evaluations name it. */
interface Reachable extends Pick<CountedOutcome, "by" | "numbered" | "value" | "witness"> {
  readonly id: string
}

function reachableOf(
  flag: Flag,
  environment: string,
  compileExpression: CompileExpression,
): readonly Reachable[] {
  const { defaultValue, configurations } = flag
  const alone = (by: "unconfigured" | "disabled") => [{ by, id: by, value: defaultValue, witness: {} }]
  const configuration = configurations.get(environment)
  if (configuration === undefined) return alone("unconfigured")
  if (!configuration.enabled) return alone("disabled")
  const outcomes = outcomesOf(flag, environment, compileExpression)
  const reaches = reachOf(outcomes.map(({ contexts }) => contexts))
  return outcomes.flatMap(({ rule, gives, at }): readonly Reachable[] => {
    const reach = reaches[at]
    if (reach === undefined || reach.kind === "unreachable") return []
    const witness = "witness" in reach ? jsonContext(reach.witness) : undefined
    return rule === undefined
      ? [{ by: "default", id: "default", value: gives, witness }]
      : [{ by: at, numbered: numberOf(rule), id: rule.sent.id, value: gives, witness }]
  })
}
