import { inOrder } from "../form/in-order.ts"
import { operationOf } from "../form/json-logic.ts"
import { table } from "../form/table.ts"
import { items, type Node } from "../form/tree.ts"
import { compareSemver } from "./semver.ts"

/** What JsonLogic reads, and the operations that a tool adds. */
export interface LogicWorld {
  readonly variable: (name: string) => unknown
  /** A named part: flagd's `$ref`. */
  readonly named: (name: string) => Node | undefined
  readonly operation: (
    name: string,
  ) => ((values: readonly unknown[], operands: readonly Node[]) => unknown) | undefined
}

/**
 * Evaluates JsonLogic as diegoholiveira/jsonlogic does. Throws where that panics; its callers treat this as no value.
 */
export function applyLogic(node: Node, world: LogicWorld): unknown {
  const operation = operationOf(node)
  if (operation === undefined)
    return Array.isArray(node.value) ? items(node).map((item) => applyLogic(item, world)) : node.value
  const [operator, operands] = operation
  const value = (at: number) => (operands[at] === undefined ? undefined : applyLogic(operands[at], world))
  switch (operator) {
    case "$ref": {
      const target = world.named(String(value(0)))
      return target === undefined ? undefined : applyLogic(target, world)
    }
    case "and":
    case "or": {
      let last: unknown = null
      for (const one of operands) {
        last = applyLogic(one, world)
        if (isTruthy(last) === (operator === "or")) return last
      }
      return last
    }
    case "if":
    case "?:": {
      for (let at = 0; at < operands.length - 1; at += 2) if (isTruthy(value(at))) return value(at + 1)
      return operands.length % 2 === 1 ? value(operands.length - 1) : null
    }
  }
  const values = operands.map((one) => applyLogic(one, world))
  if (operator === "var") return world.variable(String(values[0])) ?? values[1] ?? null
  const [general, own] = [operations[operator], world.operation(operator)]
  if (general !== undefined) return general(...values)
  return own === undefined ? panic(operator) : own(values, operands)
}

const operations = table<(...values: readonly unknown[]) => unknown>({
  "!": (a) => !isTruthy(a),
  "!!": isTruthy,
  "==": isEqual,
  "!=": (a, b) => !isEqual(a, b),
  "===": isSame,
  "!==": (a, b) => !isSame(a, b),
  "<": (a, b, ...rest) => isLess(a, b) && rest.every((c) => isLess(b, c)),
  "<=": (a, b, ...rest) => isAtMost(a, b) && rest.every((c) => isAtMost(b, c)),
  ">": (a, b, ...rest) => isLess(b, a) && rest.every((c) => isLess(c, b)),
  ">=": (a, b, ...rest) => isAtMost(b, a) && rest.every((c) => isAtMost(c, b)),
  in(a, b) {
    if (typeof b === "string") return typeof a === "string" ? b.includes(a) : panic("in")
    // There, a text that is no number counts as 0 beside a number.
    const isIn = (item: unknown) => (typeof a === "number" ? (toNumber(item) || 0) === a : item === a)
    return Array.isArray(b) && b.some(isIn)
  },
  cat: (...values) => values.join("").trim(),
  starts_with: (a, b) => (typeof a === "string" && typeof b === "string" ? a.startsWith(b) : null),
  ends_with: (a, b) => (typeof a === "string" && typeof b === "string" ? a.endsWith(b) : null),
  sem_ver: semver,
})

function panic(operator: string): never {
  throw new RangeError(`JsonLogic ends with an error in ${operator}`)
}

export function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function isEqual(a: unknown, b: unknown): boolean {
  const [one, other] = [a ?? null, b ?? null]
  if (one === null || other === null) return one === other
  if (typeof one === "string" && typeof other === "string") return one === other
  return toNumber(one) === toNumber(other)
}

function isSame(a: unknown, b: unknown): boolean {
  return typeof a === typeof b && isEqual(a, b)
}

function isLess(a: unknown, b: unknown): boolean {
  return typeof a === "string" && typeof b === "string" ? a < b : toNumber(a) < toNumber(b)
}

function isAtMost(a: unknown, b: unknown): boolean {
  return isLess(a, b) || isEqual(a, b)
}

function toNumber(value: unknown): number {
  return typeof value === "object" && value !== null ? Number.NaN : Number(value ?? 0)
}

const names = table<string>({
  ...{ "=": "eq", "!=": "ne", "<": "lt", "<=": "lte", ">": "gt", ">=": "gte" },
})

/** golang.org/x/mod/semver, with or without `v`; null unless both are versions. */
function semver(a: unknown, operator: unknown, b: unknown): boolean | null {
  const [one, other] = [a, b].map((value) => String(value).replace(/^v/i, "")) as [string, string]
  const order = compareSemver(one, other, 1)
  if (order === undefined) return null
  const head = (text: string, parts: number) =>
    [...(text.split(/[-+]/)[0] ?? "").split("."), "0"].slice(0, parts).join(".")
  if (operator === "^" || operator === "~") {
    const parts = operator === "^" ? 1 : 2
    return head(one, parts) === head(other, parts)
  }
  const name = names[String(operator)]
  return name === undefined ? null : inOrder(name, order)
}
