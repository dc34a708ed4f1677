import { all, always, any, type Condition, compare, exists, never, none } from "./form.ts"
import type { Lose } from "./losses.ts"
import { items, members, type Node, scalarText } from "./tree.ts"

/** What JsonLogic refers to outside of itself. */
export interface LogicScope {
  /** The attribute of a `var`; `undefined`, and a loss, for a path or a variable of the tool's. */
  readonly attributeOf: (name: string, node: Node, lose: Lose) => string | undefined
  /** A condition that has a name: flagd's `$ref`. */
  readonly named: (name: string, node: Node, lose: Lose) => Condition
}

/** The operator and the operands of an operation; `undefined` for a value. */
export function operationOf(node: Node): readonly [string, readonly Node[]] | undefined {
  const [only, another] = members(node)
  if (only === undefined || another !== undefined) return undefined
  const [operator, operand] = only
  return [operator, Array.isArray(operand.value) ? items(operand) : [operand]]
}

/** When JsonLogic is truthy, in diegoholiveira/jsonlogic, which flagd and GO Feature Flag run. */
export function createLogic(scope: LogicScope): (node: Node, lose: Lose) => Condition {
  const cannot = (node: Node, what: string, lose: Lose): Condition => {
    lose("import-logic", node, what)
    return never
  }

  function condition(node: Node, lose: Lose): Condition {
    const operation = operationOf(node)
    if (operation === undefined) {
      if (typeof node.value === "object" && node.value !== null)
        return cannot(node, "no operation of JsonLogic", lose)
      return node.value ? always : never
    }
    const [operator, operands] = operation
    const [first, second, third] = operands
    const parts = () => operands.map((one) => condition(one, lose))
    switch (operator) {
      case "$ref":
        return scope.named(scalarText(first) ?? "", node, lose)
      case "and":
        return all(...parts())
      case "or":
        return any(...parts())
      case "!":
        return none(...parts().slice(0, 1))
      case "!!":
        return parts()[0] ?? never
      case "if":
      case "?:": {
        if (first === undefined || second === undefined) return parts()[0] ?? never
        const asked = condition(first, lose)
        const rest = operands.slice(2)
        const otherwise =
          third === undefined ? never : rest.length === 1 ? condition(third, lose) : chain(rest, lose)
        return any(all(asked, condition(second, lose)), all(none(asked), otherwise))
      }
      case "var": {
        const attribute = variable(node, lose)
        // Falsy values of JsonLogic, as texts.
        return attribute === undefined
          ? never
          : all(exists(attribute), none(compare(attribute, "equals", ["false", "0"])))
      }
    }
    if (first === undefined || second === undefined)
      return cannot(node, `the operation \`${operator}\``, lose)
    if (operator === "==" || operator === "===") return equal(first, second, operator, node, lose)
    if (operator === "!=" || operator === "!==") return none(equal(first, second, operator, node, lose))
    if (operator === "in") return contained(first, second, node, lose)
    if (operator === "starts_with" || operator === "ends_with") {
      const attribute = variable(first, lose)
      if (attribute === undefined) return cannot(node, `\`${operator}\` of no attribute`, lose)
      return typeof second.value === "string"
        ? compare(attribute, operator === "starts_with" ? "startsWith" : "endsWith", [second.value])
        : never
    }
    if (operator === "sem_ver") return version(first, second, third, node, lose)
    const order = orders[operator]
    if (order === undefined) return cannot(node, `the operation \`${operator}\``, lose)
    const pairs =
      third === undefined
        ? [[first, second]]
        : [
            [first, second],
            [second, third],
          ]
    return all(...pairs.map(([a, b]) => (a && b ? ordered(a, b, order, node, lose) : never)))
  }

  function chain(operands: readonly Node[], lose: Lose): Condition {
    const [asked, then, ...rest] = operands
    if (asked === undefined) return never
    if (then === undefined) return condition(asked, lose)
    const when = condition(asked, lose)
    return any(all(when, condition(then, lose)), all(none(when), chain(rest, lose)))
  }

  function variable(node: Node, lose: Lose): string | undefined {
    const name = variableOf(node)
    return name === undefined ? undefined : scope.attributeOf(name, node, lose)
  }

  function equal(a: Node, b: Node, operator: string, node: Node, lose: Lose): Condition {
    const [attribute, literal] = variableOf(a) === undefined ? [variable(b, lose), a] : [variable(a, lose), b]
    if (attribute === undefined || operationOf(literal) !== undefined)
      return cannot(node, "a comparison without an attribute and a value", lose)
    const { value } = literal
    if (value === null) return none(exists(attribute))
    if (typeof value === "object") return cannot(node, "a comparison with a list or an object", lose)
    const isStrict = operator.length === 3
    if (typeof value === "number" && !isStrict)
      return all(
        ...["greaterThanOrEquals", "lessThanOrEquals"].map((one) => compare(attribute, one, [String(value)])),
      )
    return compare(attribute, "equals", [String(value)])
  }

  function contained(needle: Node, haystack: Node, node: Node, lose: Lose): Condition {
    if (Array.isArray(haystack.value)) {
      const attribute = variable(needle, lose)
      const texts = items(haystack).map(scalarText)
      if (attribute === undefined || texts.includes(undefined))
        return cannot(node, "a list that is not one of texts", lose)
      return compare(
        attribute,
        "equals",
        texts.flatMap((text) => text ?? []),
      )
    }
    const attribute = variable(haystack, lose)
    if (attribute === undefined || typeof needle.value !== "string")
      return cannot(node, "`in` without an attribute and a text", lose)
    return compare(attribute, "contains", [needle.value])
  }

  /** A missing attribute counts as 0. */
  function ordered(a: Node, b: Node, order: Order, node: Node, lose: Lose): Condition {
    const [attribute, literal, ours] =
      variableOf(a) === undefined ? [variable(b, lose), a, order.turned] : [variable(a, lose), b, order.ours]
    if (attribute === undefined || typeof literal.value !== "number")
      return cannot(node, "an order of other things than an attribute and a number", lose)
    const asked = compare(attribute, ours, [String(literal.value)])
    const isMet = compareNumbers[ours]?.(0, literal.value) ?? false
    return isMet ? any(none(exists(attribute)), asked) : asked
  }

  function version(a: Node, operator: Node, b: Node | undefined, node: Node, lose: Lose): Condition {
    const attribute = variable(a, lose)
    const operand = scalarText(b)?.replace(/^v/i, "") ?? ""
    const ours = versionOperators[scalarText(operator) ?? ""]
    if (attribute === undefined || ours === undefined) return cannot(node, "`sem_ver` of no attribute", lose)
    const [, major, minor] = /^(\d+)(\.\d+)?(?:\.\d+)?(?:[-+].*)?$/.exec(operand) ?? []
    if (major === undefined) return never
    if (ours === "^") return compare(attribute, "semverEquals", [`${major}.*`])
    if (ours === "~") return compare(attribute, "semverEquals", [`${major}${minor ?? ".0"}.*`])
    return compare(attribute, ours, [operand])
  }

  return condition
}

/** The name in `{"var": "name"}` or `{"var": ["name"]}`; `undefined` for all else. */
export function variableOf(node: Node): string | undefined {
  const operation = operationOf(node)
  const [first, second] = operation?.[1] ?? []
  return operation?.[0] === "var" && second === undefined && first !== undefined
    ? scalarText(first)
    : undefined
}

interface Order {
  readonly ours: string
  /** With the operands turned round. */
  readonly turned: string
}

const orders: Readonly<Record<string, Order>> = {
  "<": { ours: "lessThan", turned: "greaterThan" },
  "<=": { ours: "lessThanOrEquals", turned: "greaterThanOrEquals" },
  ">": { ours: "greaterThan", turned: "lessThan" },
  ">=": { ours: "greaterThanOrEquals", turned: "lessThanOrEquals" },
}

const compareNumbers: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  lessThan: (a, b) => a < b,
  lessThanOrEquals: (a, b) => a <= b,
  greaterThan: (a, b) => a > b,
  greaterThanOrEquals: (a, b) => a >= b,
}

const versionOperators: Readonly<Record<string, string>> = {
  ...{ "=": "semverEquals", "!=": "semverNotEquals", "<": "semverLessThan", "<=": "semverLessThanOrEquals" },
  ...{ ">": "semverGreaterThan", ">=": "semverGreaterThanOrEquals", "^": "^", "~": "~" },
}
