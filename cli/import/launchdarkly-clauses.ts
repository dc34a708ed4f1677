import {
  all,
  any,
  type Condition,
  compare,
  exists,
  type ImportedSegment,
  never,
  none,
  type Remark,
} from "./form/form.ts"
import type { Lose } from "./form/losses.ts"
import { at, isTrue, items, type Node, numberOf, scalarText, textOf, textsOf } from "./form/tree.ts"
import { createSegmentUses } from "./segment-uses.ts"
import type { LaunchDarklyScope } from "./sources/launchdarkly.ts"

/** Translates the clauses of one environment's rules, and the segments that they use. */
export interface Clauses {
  readonly clause: (node: Node, lose: Lose) => Condition
  readonly segments: readonly ImportedSegment[]
}

export function createClauses(scope: LaunchDarklyScope, environment: string, remarks: Remark[]): Clauses {
  const find = (name: string) => {
    const node = scope.segments.get(name)
    if (node === undefined) return undefined
    const condition = (lose: Lose) => segmentCondition(name, node, lose)
    return { name, description: textOf(at(node, "description")), condition }
  }
  const uses = createSegmentUses(environment, find, remarks)

  function clause(node: Node, lose: Lose): Condition {
    const isNegated = isTrue(at(node, "negate"))
    const operands = items(at(node, "values"))
    const operator = textOf(at(node, "op")) ?? ""
    if (operator === "segmentMatch") {
      const some = any(...operands.map((operand) => uses.use(textOf(operand) ?? "", operand, lose)))
      return isNegated ? none(some) : some
    }
    const attribute = attributeOf(at(node, "attribute") ?? node, at(node, "contextKind"), lose)
    const positive = comparison(attribute, operator, operands, node, lose)
    if (attribute === "anonymous" && operator === "in") {
      // LaunchDarkly's own attribute is false where it is missing.
      const some = operands.some(({ value }) => value === false)
        ? any(positive, none(exists(attribute)))
        : positive
      return isNegated ? none(some) : some
    }
    return isNegated ? all(exists(attribute), none(positive)) : positive
  }

  function segmentCondition(name: string, node: Node, lose: Lose): Condition {
    const kinds = [...items(at(node, "includedContexts")), ...items(at(node, "excludedContexts"))]
    for (const one of kinds)
      if (textsOf(at(one, "values")).length > 0)
        lose("import-context-kind", one, `the kind \`${textOf(at(one, "contextKind"))}\``)
    const isUnbounded = isTrue(at(node, "unbounded"))
    const known = scope.knownValues.get(name)
    if (isUnbounded && known === undefined)
      lose("import-segment-keys", node, "a list of keys that the file does not have")
    const included = isUnbounded ? (known ?? []) : textsOf(at(node, "included"))
    const excluded = isUnbounded ? [] : textsOf(at(node, "excluded"))
    const rules = items(at(node, "rules")).map((rule) => {
      const clauses = all(...items(at(rule, "clauses")).map((one) => clause(one, lose)))
      const weight = numberOf(at(rule, "weight"))
      if (weight === undefined || weight >= 100_000) return clauses
      const bucketBy = at(rule, "bucketBy")
      const by = bucketBy === undefined ? "key" : attributeOf(bucketBy, at(rule, "rolloutContextKind"), lose)
      lose("import-share-redealt", rule, `a share by \`${by}\``)
      const share: Condition = {
        kind: "share",
        by,
        to: weight / 1000,
        seed: `${name}.${textOf(at(node, "salt")) ?? ""}`,
      }
      return all(clauses, by === "key" ? share : any(share, none(exists(by))))
    })
    return any(
      compare("key", "equals", included),
      all(none(compare("key", "equals", excluded)), any(...rules)),
    )
  }

  return { clause, segments: uses.segments }
}

/** A literal name, or with a kind a reference, in which `/` begins a path. */
export function attributeOf(node: Node, kind: Node | undefined, lose: Lose, literal?: string): string {
  const name = literal ?? textOf(node) ?? ""
  const kindName = textOf(kind)
  if (kindName !== undefined && kindName !== "user")
    lose("import-context-kind", node, `\`${name}\` of the kind \`${kindName}\``)
  if (name === "kind") lose("import-context-kind", node, "the attribute `kind`")
  if (name === "") lose("import-malformed", node, "no attribute")
  if (kindName === undefined || !name.startsWith("/")) return name
  const [, first = "", ...others] = name.split("/")
  if (/~(?![01])/.test(name) || first === "") lose("import-malformed", node, `the reference \`${name}\``)
  else if (others.length > 0) lose("import-attribute-path", node, `the path \`${name}\``)
  return first.replaceAll("~1", "/").replaceAll("~0", "~")
}

const textOperators: Readonly<Record<string, string>> = {
  startsWith: "startsWith",
  endsWith: "endsWith",
  contains: "contains",
  matches: "matches",
}
const numberOperators: Readonly<Record<string, string>> = {
  ...{ lessThan: "lessThan", lessThanOrEqual: "lessThanOrEquals", greaterThan: "greaterThan" },
  greaterThanOrEqual: "greaterThanOrEquals",
}
const versionOperators: Readonly<Record<string, string>> = {
  ...{
    semVerEqual: "semverEquals",
    semVerLessThan: "semverLessThan",
    semVerGreaterThan: "semverGreaterThan",
  },
}

/** An operand of another type than the operator's matches nothing. */
function comparison(
  attribute: string,
  operator: string,
  operands: readonly Node[],
  clause: Node,
  lose: Lose,
): Condition {
  const texts = operands.flatMap((operand) => textOf(operand) ?? [])
  if (operator === "in") {
    if (operands.some(({ value }) => typeof value === "object" && value !== null))
      lose("import-operand", clause, "a list or an object to compare with")
    return compare(
      attribute,
      "equals",
      operands.flatMap((operand) => scalarText(operand) ?? []),
    )
  }
  const ours = textOperators[operator] ?? versionOperators[operator]
  if (ours !== undefined)
    return compare(
      attribute,
      ours,
      operator in versionOperators ? texts.filter((text) => !/^v|\d+\.\d+\.\d+\./.test(text)) : texts,
    )
  const numbers = operands.flatMap(({ value }) => (typeof value === "number" ? [String(value)] : []))
  if (numberOperators[operator] !== undefined) return compare(attribute, numberOperators[operator], numbers)
  if (operator === "before" || operator === "after") {
    const moments = operands.flatMap(({ value }) => {
      const milliseconds =
        typeof value === "number"
          ? value
          : /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(String(value))
            ? Date.parse(String(value))
            : Number.NaN
      return Math.abs(milliseconds) < 8.64e15 ? [new Date(milliseconds).toISOString()] : []
    })
    return compare(attribute, operator, moments)
  }
  lose("import-operator", clause, `the operator \`${operator}\``)
  return never
}
