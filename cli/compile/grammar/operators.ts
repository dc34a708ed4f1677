/** What an operator compares with: the form that a rule's `value` must have. */
export type Operand = "none" | "text" | "list" | "expression" | "number" | "version" | "date" | "percentage"

/** The operator that compares versions as `name` compares numbers. */
export function semverTwin(name: string): string {
  return `semver${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** The operator that compares moments as `name` compares numbers; `undefined` if there is none. */
export function dateTwin(name: string): string | undefined {
  return dateTwins.get(name)
}

const dateTwins: ReadonlyMap<string, string> = new Map([
  ["greaterThan", "after"],
  ["greaterThanOrEquals", "afterOrEquals"],
  ["lessThan", "before"],
  ["lessThanOrEquals", "beforeOrEquals"],
])

/** What an operator needs. Only `always` looks at no attribute. */
export interface Operator {
  readonly operand: Operand
  readonly takesAttribute: boolean
}

const comparing = (operand: Operand): Operator => ({ operand, takesAttribute: true })

/** The operators of comparisons that every Flagstone SDK knows. A project may add its own. */
export const operators: ReadonlyMap<string, Operator> = new Map([
  ["equals", comparing("text")],
  ["notEquals", comparing("text")],
  ["contains", comparing("text")],
  ["notContains", comparing("text")],
  ["startsWith", comparing("text")],
  ["endsWith", comparing("text")],
  ["matches", comparing("expression")],
  ["notMatches", comparing("expression")],
  ["in", comparing("list")],
  ["notIn", comparing("list")],
  ["greaterThan", comparing("number")],
  ["greaterThanOrEquals", comparing("number")],
  ["lessThan", comparing("number")],
  ["lessThanOrEquals", comparing("number")],
  ["semverEquals", comparing("version")],
  ["semverNotEquals", comparing("version")],
  ["semverGreaterThan", comparing("version")],
  ["semverGreaterThanOrEquals", comparing("version")],
  ["semverLessThan", comparing("version")],
  ["semverLessThanOrEquals", comparing("version")],
  ["before", comparing("date")],
  ["beforeOrEquals", comparing("date")],
  ["after", comparing("date")],
  ["afterOrEquals", comparing("date")],
  ["exists", comparing("none")],
  ["notExists", comparing("none")],
  ["percentage", comparing("percentage")],
  ["always", { operand: "none", takesAttribute: false }],
])
