import type { Condition } from "../../sdk/evaluation/condition.ts"
import { expressionSize, largestExpression } from "../../sdk/evaluation/expression-size.ts"
import { isExpression } from "../../sdk/evaluation/operators.ts"

/**
 * How much work evaluating flags takes at most: `fixed`, and `perByte` for each byte of the context. A unit is 20 ns,
 * which no operator needs for a byte of any text or list; most need a tenth.
 */
export interface Work {
  readonly fixed: number
  readonly perByte: number
}

export const noWork: Work = { fixed: 0, perByte: 0 }

/** The work of a flag whose rules have these comparisons, and whose answer has at most `answerBytes`. */
export function workOf(comparisons: readonly Condition[], answerBytes: number): Work {
  const perByte = comparisons.reduce((sum, comparison) => sum + readsOf(comparison), 0)
  return { fixed: perByte * bytesOfComparison + answerBytes / answerBytesPerUnit, perByte }
}

/** The work of that of these comparisons which takes longest. */
export function longestOf(comparisons: readonly Condition[]): Work {
  const perByte = comparisons.reduce((most, comparison) => Math.max(most, readsOf(comparison)), 0)
  return { fixed: perByte * bytesOfComparison, perByte }
}

/** The work of both. */
export function addWork(left: Work, right: Work): Work {
  return { fixed: left.fixed + right.fixed, perByte: left.perByte + right.perByte }
}

/** The units of work in a context whose attributes have this many bytes together, as `measureContext` counts them. */
export function unitsOf({ fixed, perByte }: Work, contextBytes: number): number {
  return fixed + perByte * contextBytes
}

/** The units of work to parse a body of this many bytes, whatever they are. */
export function unitsOfBody(bytes: number): number {
  return bytes * unitsPerBodyByte
}

/** Units of work that need no turn: a tenth of a turn, and about as long as Node takes for two requests. */
export const shortWork = 5_000

/** How often a comparison reads its attribute. An expression that is larger than allowed is never run. */
function readsOf({ operator, value }: Condition): number {
  if (!isExpression(operator)) return 1
  return readsOfExpression + readsOfInstruction * Math.min(expressionSize(value), largestExpression)
}

/** A comparison takes this much longer than its bytes, for a hash or a Date. */
const bytesOfComparison = 64

/** Expressions with classes of Unicode take 0.1 ms to compile and to prepare for their first text. */
const readsOfExpression = 100

/** RE2 takes 60 ns for each byte and instruction if each byte is in a new state. */
const readsOfInstruction = 5

/** Joining, hashing and encoding an answer. */
const answerBytesPerUnit = 8

/** Up to 70 ns, if each six bytes are another attribute. */
const unitsPerBodyByte = 4
