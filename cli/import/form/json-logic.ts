import type { OperatorName } from "../../../sdk/evaluation/operators.ts"
import { type Phrase, phrase } from "../../diagnostics/phrase.ts"
import { all, always, any, type Condition, isPresent, never, none } from "../../language/condition.ts"
import { compare, compareOrder, isOneOf, isOtherVersion, type Order } from "./compare.ts"
import type { AddLoss } from "./losses.ts"
import { table } from "./table.ts"
import { items, members, type Node, scalarText } from "./tree.ts"

/** What JsonLogic refers to outside itself. */
export interface LogicScope {
  /** The attribute of a `var`; `undefined`, and a loss, for a path or one of the tool's own variables. */
  readonly attributeOf: (name: string, node: Node, addLoss: AddLoss) => string | undefined
  /** A condition that has a name: flagd's `$ref`. */
  readonly named: (name: string, node: Node, addLoss: AddLoss) => Condition
  /** Whether an attribute counts as false if it is missing; it can only be compared with true and false. */
  readonly isBoolean: (name: string | undefined) => boolean
}

/** The operator and the operands of an operation; `undefined` for a value. */
export function operationOf(node: Node): readonly [string, readonly Node[]] | undefined {
  const [only, another] = members(node)
  if (only === undefined || another !== undefined) return undefined
  const [operator, operand] = only
  return [operator, Array.isArray(operand.value) ? items(operand) : [operand]]
}

/** What is translated, and where losses go. */
interface Logic {
  readonly scope: LogicScope
  readonly addLoss: AddLoss
}

/** The condition under which JsonLogic is truthy in diegoholiveira/jsonlogic, which flagd and GO Feature Flag run. */
export function logicCondition(root: Node, scope: LogicScope, addLoss: AddLoss): Condition {
  return condition({ scope, addLoss }, root)
}

function cannot({ addLoss }: Logic, node: Node, what: Phrase): Condition {
  addLoss("import-logic", node, what)
  return never
}

function condition(logic: Logic, node: Node): Condition {
  const operation = operationOf(node)
  if (operation === undefined) {
    if (typeof node.value === "object" && node.value !== null)
      return cannot(logic, node, phrase`not a JsonLogic operation`)
    return node.value ? always : never
  }
  const [operator, operands] = operation
  const [first, second, third] = operands
  const parts = () => operands.map((one) => condition(logic, one))
  switch (operator) {
    case "$ref":
      return logic.scope.named(scalarText(first) ?? "", node, logic.addLoss)
    case "and":
      return all(...parts())
    case "or":
      return any(...parts())
    case "!":
      return none(...parts().slice(0, 1))
    case "!!":
      return parts()[0] ?? never
    case "if":
    case "?:":
      return chain(logic, operands)
    case "var": {
      const name = variableOf(node)
      if (name === undefined) return cannot(logic, node, phrase`${"var"} with more than a name`)
      if (logic.scope.isBoolean(name)) return isOneOf(name, ["true"])
      const attribute = variable(logic, node)
      // JsonLogic's falsy values, as strings.
      return typeof attribute === "string"
        ? all(isPresent(attribute), none(isOneOf(attribute, ["false", "0"])))
        : never
    }
  }
  if (first === undefined || second === undefined)
    return cannot(logic, node, phrase`the operation ${operator}`)
  if (operator === "==" || operator === "===") return equal(logic, first, second, operator, node)
  if (operator === "!=" || operator === "!==") return none(equal(logic, first, second, operator, node))
  if (operator === "in") return contained(logic, first, second, node)
  const onTexts = textOperators[operator]
  if (onTexts !== undefined) {
    const attribute = variable(logic, first)
    if (attribute === null) return never
    if (attribute === undefined) return cannot(logic, node, phrase`${operator} without an attribute`)
    return typeof second.value === "string" ? compare(attribute, onTexts, [second.value]) : never
  }
  if (operator === "sem_ver") return version(logic, first, second, third, node)
  const order = orders[operator]
  if (order === undefined) return cannot(logic, node, phrase`the operation ${operator}`)
  const asked = ordered(logic, first, second, order, node)
  return third === undefined ? asked : all(asked, ordered(logic, second, third, order, node))
}

function chain(logic: Logic, operands: readonly Node[]): Condition {
  const [asked, then, ...rest] = operands
  if (asked === undefined) return never
  if (then === undefined) return condition(logic, asked)
  const when = condition(logic, asked)
  return any(all(when, condition(logic, then)), all(none(when), chain(logic, rest)))
}

/** The attribute of a `var`; `undefined` for anything else; `null` for one that is no attribute, which is a loss of its own. */
function variable(logic: Logic, node: Node): string | null | undefined {
  const name = variableOf(node)
  return name === undefined || logic.scope.isBoolean(name)
    ? undefined
    : (logic.scope.attributeOf(name, node, logic.addLoss) ?? null)
}

function equal(logic: Logic, a: Node, b: Node, operator: string, node: Node): Condition {
  const [own, literal] = variableOf(a) === undefined ? [b, a] : [a, b]
  if (logic.scope.isBoolean(variableOf(own)) && typeof literal.value === "boolean")
    return literal.value ? condition(logic, own) : none(condition(logic, own))
  const attribute = variable(logic, own)
  if (attribute === null) return never
  if (attribute === undefined || operationOf(literal) !== undefined)
    return cannot(logic, node, phrase`a comparison that is not between an attribute and a value`)
  const { value } = literal
  if (value === null) return none(isPresent(attribute))
  if (typeof value === "object") return cannot(logic, node, phrase`a comparison with a list or an object`)
  const isStrict = operator.length === 3
  return typeof value === "number" && !isStrict
    ? compareOrder(attribute, "number", "eq", [String(value)])
    : isOneOf(attribute, [String(value)])
}

function contained(logic: Logic, needle: Node, haystack: Node, node: Node): Condition {
  if (Array.isArray(haystack.value)) {
    const attribute = variable(logic, needle)
    if (attribute === null) return never
    const texts = items(haystack).map(scalarText)
    if (attribute === undefined || texts.includes(undefined))
      return cannot(logic, node, phrase`${"in"} without an attribute and a list of strings`)
    return isOneOf(
      attribute,
      texts.flatMap((text) => text ?? []),
    )
  }
  const attribute = variable(logic, haystack)
  if (attribute === null) return never
  if (attribute === undefined || typeof needle.value !== "string")
    return cannot(logic, node, phrase`${"in"} without an attribute and a string`)
  return compare(attribute, inText, [needle.value])
}

/** A missing attribute counts as 0, but does not equal it. */
function ordered(logic: Logic, a: Node, b: Node, order: Order, node: Node): Condition {
  const isTurned = variableOf(a) === undefined
  const [attribute, { value }] = isTurned ? [variable(logic, b), a] : [variable(logic, a), b]
  if (attribute === null) return never
  if (attribute === undefined || typeof value !== "number")
    return cannot(logic, node, phrase`${"<"} or ${">"} that does not compare an attribute with a number`)
  const own = isTurned ? turned[order] : order
  const asked = compareOrder(attribute, "number", own, [String(value)])
  return (own.startsWith("l") ? value > 0 : value < 0) ? any(none(isPresent(attribute)), asked) : asked
}

function version(logic: Logic, a: Node, operator: Node, b: Node | undefined, node: Node): Condition {
  const attribute = variable(logic, a)
  if (attribute === null) return never
  const operand = scalarText(b)?.replace(/^v/i, "") ?? ""
  const name = scalarText(operator) ?? ""
  const [, major, minor = ".0"] = /^(\d+)(\.\d+)?(?:\.\d+)?(?:[-+].*)?$/.exec(operand) ?? []
  const order = name === "=" ? "eq" : orders[name]
  if (attribute === undefined) return cannot(logic, node, phrase`${"sem_ver"} without an attribute`)
  if (order === undefined && !/^(?:!=|\^|~)$/.test(name))
    return cannot(logic, node, phrase`${"sem_ver"} with an unknown operator`)
  if (major === undefined) return never
  if (order !== undefined) return compareOrder(attribute, "version", order, [operand])
  if (name === "!=") return isOtherVersion(attribute, operand)
  return compareOrder(attribute, "version", "eq", [name === "^" ? `${major}.*` : `${major}${minor}.*`])
}

/** The name in `{"var": "name"}` or `{"var": ["name"]}`; `undefined` for anything else. */
export function variableOf(node: Node): string | undefined {
  const operation = operationOf(node)
  const [first, second] = operation?.[1] ?? []
  return operation?.[0] === "var" && second === undefined && first !== undefined
    ? scalarText(first)
    : undefined
}

const textOperators = table<OperatorName>({ starts_with: "startsWith", ends_with: "endsWith" })
/** `in` with a string instead of a list. */
const inText: OperatorName = "contains"
const orders = table<Order>({ "<": "lt", "<=": "lte", ">": "gt", ">=": "gte" })

/** The same order with the operands swapped. */
const turned: Readonly<Record<Order, Order>> = { eq: "eq", lt: "gt", lte: "gte", gt: "lt", gte: "lte" }
