import type { OperatorName } from "../../sdk/evaluation/operators.ts"
import { phrase } from "../diagnostics/phrase.ts"
import { all, any, type Condition, isPresent, never, none } from "../language/condition.ts"
import { compare, compareOrder, isOneOf, type Order } from "./form/compare.ts"
import type { AddLoss } from "./form/losses.ts"
import { table } from "./form/table.ts"
import {
  at,
  isTrue,
  items,
  membersOf,
  momentText,
  type Node,
  numberOf,
  scalarText,
  textOf,
  textsOf,
} from "./form/tree.ts"
import { compareSemver } from "./meaning/semver.ts"
import { createSegmentUses } from "./segment-uses.ts"
import { firstShare } from "./shares.ts"
import type { LaunchDarklyScope } from "./sources/launchdarkly.ts"

/** Translates the clauses of one environment's rules, and the segments that they use. */
export function createClauses(scope: LaunchDarklyScope, environment: string) {
  const find = (name: string) => {
    const node = scope.segments.get(name)
    if (node === undefined) return undefined
    const condition = (addLoss: AddLoss) => segmentCondition(name, node, addLoss)
    return { name, description: textOf(at(node, "description")), condition }
  }
  const uses = createSegmentUses(environment, find)

  function clause(node: Node, addLoss: AddLoss): Condition {
    const isNegated = isTrue(at(node, "negate"))
    const operands = items(at(node, "values"))
    const operator = textOf(at(node, "op")) ?? ""
    if (operator === "segmentMatch") {
      const some = any(...operands.map((operand) => uses.use(textOf(operand) ?? "", operand, addLoss)))
      return isNegated ? none(some) : some
    }
    const attribute = attributeOf(at(node, "attribute") ?? node, at(node, "contextKind"), addLoss)
    const positive = comparison(attribute, operator, operands, node, addLoss)
    if (attribute === "anonymous" && operator === "in") {
      // LaunchDarkly takes a missing `anonymous` for false.
      const some = operands.some(({ value }) => value === false)
        ? any(positive, none(isPresent(attribute)))
        : positive
      return isNegated ? none(some) : some
    }
    return isNegated ? all(isPresent(attribute), none(positive)) : positive
  }

  function segmentCondition(name: string, node: Node, addLoss: AddLoss): Condition {
    addKindLosses(node, addLoss)
    const isUnbounded = isTrue(at(node, "unbounded"))
    const known = scope.knownValues.get(name)
    if (isUnbounded && known === undefined)
      addLoss("import-segment-keys", node, phrase`its keys are not in the file`)
    const included = isUnbounded ? (known ?? []) : textsOf(at(node, "included"))
    const excluded = isUnbounded ? [] : textsOf(at(node, "excluded"))
    const rules = items(at(node, "rules")).map((rule) => {
      const clauses = all(...items(at(rule, "clauses")).map((one) => clause(one, addLoss)))
      const weight = numberOf(at(rule, "weight"))
      if (weight === undefined || weight >= 100_000) return clauses
      const bucketBy = at(rule, "bucketBy")
      const by =
        bucketBy === undefined ? "key" : attributeOf(bucketBy, at(rule, "rolloutContextKind"), addLoss)
      addLoss("import-share-rebucketed", rule, phrase`a share by ${by}`)
      const share = firstShare(by, weight / 1000, `${name}.${textOf(at(node, "salt")) ?? ""}`)
      return all(clauses, by === "key" ? share : any(share, none(isPresent(by))))
    })
    return any(isOneOf("key", included), all(none(isOneOf("key", excluded)), any(...rules)))
  }

  return { clause, segments: uses.segments }
}

/** Reports context kinds other than `user` in targets, clauses and rollouts below a node. */
export function addKindLosses(node: Node, addLoss: AddLoss): void {
  const parts = membersOf(node) ?? items(node)
  for (const part of parts) if (typeof part.value === "object") addKindLosses(part, addLoss)
  const kind = textOf(at(node, "contextKind") ?? at(node, "rolloutContextKind")) || "user"
  if (kind === "user") return
  const values = at(node, "values")
  const isEmpty = values !== undefined && items(values).length === 0
  if (!isEmpty) addLoss("import-context-kind", node, phrase`the context kind ${kind}`)
}

/** The attribute's name. With a context kind, it is a reference, in which `/` begins a path. */
export function attributeOf(node: Node, kind: Node | undefined, addLoss: AddLoss): string {
  const name = textOf(node) ?? ""
  if (name === "kind") addLoss("import-context-kind", node, phrase`the attribute ${"kind"}`)
  if (name === "") addLoss("import-malformed", node, phrase`no attribute`)
  if (!textOf(kind) || !name.startsWith("/")) return name
  const [, first = "", ...others] = name.split("/")
  if (/~(?![01])/.test(name) || first === "") addLoss("import-malformed", node, phrase`the reference ${name}`)
  else if (others.length > 0) addLoss("import-attribute-path", node, phrase`the path ${name}`)
  return first.replaceAll("~1", "/").replaceAll("~0", "~")
}

const textOperators = table<OperatorName>({
  ...{ startsWith: "startsWith", endsWith: "endsWith", contains: "contains", matches: "matches" },
})

const orderOperators = table<readonly ["number" | "version" | "moment", Order]>({
  ...{ lessThan: ["number", "lt"], lessThanOrEqual: ["number", "lte"] },
  ...{ greaterThan: ["number", "gt"], greaterThanOrEqual: ["number", "gte"] },
  ...{ semVerEqual: ["version", "eq"], semVerLessThan: ["version", "lt"] },
  ...{ semVerGreaterThan: ["version", "gt"], before: ["moment", "lt"], after: ["moment", "gt"] },
})

/** An operand as a string; `undefined` if it has the wrong type for the operator, which then matches nothing. */
const operandTexts = {
  number: ({ value }: Node) => (typeof value === "number" ? String(value) : undefined),
  version: ({ value }: Node) =>
    typeof value === "string" && compareSemver(value, value, 1) === 0 ? value : undefined,
  moment: ({ value }: Node) =>
    typeof value === "number" || /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(String(value))
      ? momentText(value as number | string)
      : undefined,
}

function comparison(
  attribute: string,
  operator: string,
  operands: readonly Node[],
  clause: Node,
  addLoss: AddLoss,
): Condition {
  const texts = (textFor: (operand: Node) => string | undefined) =>
    operands.flatMap((operand) => textFor(operand) ?? [])
  if (operator === "in") {
    if (operands.some(({ value }) => typeof value === "object" && value !== null))
      addLoss("import-operand", clause, phrase`a comparison with a list or an object`)
    return isOneOf(attribute, texts(scalarText))
  }
  const onTexts = textOperators[operator]
  if (onTexts !== undefined) return compare(attribute, onTexts, texts(textOf))
  const [kind, order] = orderOperators[operator] ?? []
  if (kind !== undefined && order !== undefined)
    return compareOrder(attribute, kind, order, texts(operandTexts[kind]))
  addLoss("import-operator", clause, phrase`the operator ${operator}`)
  return never
}
