import type { FlagEntry, Json } from "../../proxy/contract/snapshot.ts"
import type { Context, Evaluation } from "../../sdk/evaluation/evaluation.ts"
import { type CompileExpression, loadExpressions } from "../../sdk/evaluation/expression.ts"
import { createShare } from "../../sdk/evaluation/share.ts"
import { contextsOf, everything } from "../conditions/context-set.ts"
import { reachOf } from "../conditions/reach.ts"
import { compareText } from "../diagnostics/diagnostic.ts"
import type { World } from "./run-spec.ts"

/** A way in which a flag can get its value in an environment: by one of its rules, or by none. */
export interface Outcome {
  readonly flag: string
  readonly environment: string
  /** A rule's position, counted from 0, or what applies instead of rules. */
  readonly by: number | "default" | "disabled" | "unconfigured"
  readonly value: Json
  /** How often the cases came to it. */
  readonly hits: number
  /** A context that comes to it, as JSON has it; `undefined` where none is known, as with regular expressions. */
  readonly witness: Context | undefined
}

/** Counts which outcomes the evaluations come to. */
export interface Coverage {
  readonly count: (environment: string, evaluation: Evaluation) => void
  /** Every outcome that some context comes to, of the flags that are asked for, by flag and environment. */
  readonly outcomes: (flags: ReadonlySet<string>) => Promise<readonly Outcome[]>
}

/** Starts counting for the flags of some environments. */
export function startCoverage(worlds: ReadonlyMap<string, World>): Coverage {
  const hits = new Map<string, number>()
  return {
    count(environment, evaluation) {
      if (evaluation.kind === "unknownFlag") return
      const by = evaluation.kind === "evaluated" ? (evaluation.ruleId ?? evaluation.cause) : evaluation.ruleId
      const name = JSON.stringify([environment, evaluation.key, by])
      hits.set(name, (hits.get(name) ?? 0) + 1)
    },
    async outcomes(flags) {
      const compileExpression = await loadExpressions()
      const outcomes = [...worlds].flatMap(([environment, { document }]) =>
        document.flags
          .filter(({ flag }) => flags.has(flag.key))
          .flatMap((entry) =>
            outcomesOf(entry, compileExpression).map(({ id, ...outcome }): Outcome => {
              const name = JSON.stringify([environment, entry.flag.key, id])
              return { ...outcome, flag: entry.flag.key, environment, hits: hits.get(name) ?? 0 }
            }),
          ),
      )
      return outcomes.toSorted((a, b) => compareText(a.flag, b.flag))
    },
  }
}

/** An outcome, and the rule's id or the cause by which evaluations name it. */
interface Reachable extends Pick<Outcome, "by" | "value" | "witness"> {
  readonly id: string
}

function outcomesOf(
  { flag, environment }: FlagEntry,
  compileExpression: CompileExpression,
): readonly Reachable[] {
  const { key, defaultValue } = flag
  const alone = (by: "unconfigured" | "disabled") => [{ by, id: by, value: defaultValue, witness: {} }]
  if (environment === null) return alone("unconfigured")
  if (!environment.enabled) return alone("disabled")
  const scope = { share: createShare(key), compileExpression }
  const sets = environment.rules.map((rule) => contextsOf(rule, scope))
  return reachOf([...sets, everything]).flatMap((reach, at): readonly Reachable[] => {
    if (reach.kind === "unreachable") return []
    const witness = "witness" in reach ? asJson(reach.witness) : undefined
    const rule = environment.rules[at]
    return rule === undefined
      ? [{ by: "default", id: "default", value: defaultValue, witness }]
      : [{ by: at, id: rule.id, value: rule.returnValue, witness }]
  })
}

/**
 * A context as JSON and YAML have it: a moment becomes its text (RFC 3339), which means the same. `undefined` where they
 * cannot say it.
 */
function asJson(context: Context): Context | undefined {
  const text = JSON.stringify(context)
  const isLongYear = Object.values(context).some(
    (value) => value instanceof Date && !/^\d{4}-/.test(value.toJSON()),
  )
  return text.isWellFormed() && !isLongYear ? JSON.parse(text) : undefined
}
