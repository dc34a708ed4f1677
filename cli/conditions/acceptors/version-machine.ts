import type { VersionOperand } from "../../../sdk/evaluation/version.ts"
import type { Cut, Intervals } from "../intervals.ts"
import type { Version } from "../versions.ts"
import type { Machine } from "./acceptor.ts"
import {
  afterCharacter,
  afterEnd,
  afterPart,
  type Comparing,
  type Order,
  startOrder,
} from "./version-order.ts"

/**
 * Where a text stands in the grammar of versions. `start`, `v`, `number.`, `pre.` and `build.` need another character;
 * `not`: the text is no version, whatever follows.
 */
type Stage = "start" | "v" | "number." | "number" | "pre." | "pre" | "build." | "build" | "not"

interface Reading {
  readonly stage: Stage
  /** How the version compares with each boundary, as far as it is read. */
  readonly orders: readonly Order[]
}

/** Accepts the versions of the intervals, and texts that are no versions unless `mustBe`. */
export function versionMachine(intervals: Intervals<Version>, mustBe: boolean): Machine<Reading> {
  const cuts = intervals.flatMap(({ from, to }) => [from, to]).filter((cut) => cut !== undefined)
  const operands = [...new Map(cuts.map(({ value }) => [value.text, value.parsed])).entries()]
  const indexes = new Map(operands.map(([text], index) => [text, index]))
  const isBehind = (cut: Cut<Version>, orders: readonly number[]) => {
    const order = orders[indexes.get(cut.value.text) ?? 0] ?? 0
    return order > 0 || (order === 0 && !cut.isAfter)
  }
  const contain = (orders: readonly number[]) =>
    intervals.some(
      ({ from, to }) =>
        (from === undefined || isBehind(from, orders)) && (to === undefined || !isBehind(to, orders)),
    )
  const not: Reading | undefined = mustBe ? undefined : { stage: "not", orders: [] }
  return {
    price: 10 + 4 * operands.length,
    start: { stage: "start", orders: operands.map(() => startOrder) },
    step({ stage, orders }, character) {
      const next = stageAfter(stage, character)
      if (next === "not") return not
      if (next === "build" || next === "v") return { stage: next, orders }
      const compared = orders.map((order, index) =>
        typeof order === "number" ? order : orderIn(next, order, operandAt(operands, index), character),
      )
      const isDecided = mustBe && compared.every((order) => typeof order === "number")
      return isDecided && !contain(compared) ? undefined : { stage: next, orders: compared }
    },
    accepts({ stage, orders }) {
      if (stage !== "number" && stage !== "pre" && stage !== "build") return !mustBe
      return contain(
        orders.map((order, index) =>
          typeof order === "number" ? order : afterEnd(order, operandAt(operands, index)),
        ),
      )
    },
    nameOf: ({ stage, orders }) =>
      stage +
      orders.map((order) => (typeof order === "number" ? order : Object.values(order).join())).join(" "),
  }
}

function operandAt(operands: readonly (readonly [string, VersionOperand])[], index: number): VersionOperand {
  const operand = operands[index]?.[1]
  if (operand === undefined) throw new RangeError(`there is no boundary ${index}`)
  return operand
}

/** How a version compares once a character has brought its text to a stage. */
function orderIn(stage: Stage, before: Comparing, operand: VersionOperand, character: string): Order {
  if (stage === "build.") return afterEnd(before, operand)
  if (stage === "number." || stage === "pre.") return afterPart(before, operand, stage === "pre.")
  return afterCharacter(before, operand, character)
}

function stageAfter(stage: Stage, character: string): Stage {
  const isDigit = /\d/.test(character)
  switch (stage) {
    case "start":
      return character === "v" ? "v" : isDigit ? "number" : "not"
    case "v":
    case "number.":
      return isDigit ? "number" : "not"
    case "number":
      if (character === "-") return "pre."
      return isDigit ? "number" : stageAfterPart(character, "number.")
    case "pre.":
      return isIdentifier(character) ? "pre" : "not"
    case "pre":
      return isIdentifier(character) ? "pre" : stageAfterPart(character, "pre.")
    case "build.":
      return isIdentifier(character) ? "build" : "not"
    case "build":
      if (character === "+") return "not"
      return isIdentifier(character) ? "build" : stageAfterPart(character, "build.")
    default:
      return "not"
  }
}

function stageAfterPart(character: string, dotted: Stage): Stage {
  return character === "." ? dotted : character === "+" ? "build." : "not"
}

function isIdentifier(character: string): boolean {
  return /[\dA-Za-z-]/.test(character)
}
