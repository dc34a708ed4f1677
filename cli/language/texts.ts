import { foldCase } from "../../sdk/evaluation/fold-case.ts"
import type { Comparison, Condition } from "./condition.ts"
import { operators, operatorThatAsks } from "./operators.ts"

/** Whether a condition names the texts that it matches. */
export function namesTexts(condition: Condition): condition is Comparison {
  if (condition.kind !== "comparison") return false
  const { question, negates } = operators.get(condition.operator) ?? {}
  return question?.kind === "texts" && negates === undefined
}

/** The texts that a comparison is about: those in its list, or the one that is its operand. */
export function textsOf({ operand }: Comparison): readonly string[] {
  return typeof operand === "string" ? [operand] : operand
}

/** A comparison with other texts that differs in nothing else, each text once; `undefined` for none. */
export function withTexts(comparison: Comparison, texts: readonly string[]): Comparison | undefined {
  const { attribute, ignoreCase = false } = comparison
  const spellings = Map.groupBy(texts, (text) => (ignoreCase ? foldCase(text) : text))
  const [first, ...others] = [...spellings.values()].flatMap((alike) => alike.slice(0, 1))
  if (first === undefined) return undefined
  const isList = others.length > 0
  return {
    kind: "comparison",
    attribute,
    operator: operatorThatAsks({ kind: "texts", isList }),
    operand: isList ? [first, ...others] : first,
    ...(ignoreCase && { ignoreCase }),
  }
}
