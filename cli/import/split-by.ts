import { bindOperator, scopeOfFlag } from "../../sdk/evaluation/operators.ts"
import { Failure } from "../failure.ts"
import {
  always,
  type Comparison,
  type Condition,
  isNever,
  mapLeaves,
  never,
  takesOperand,
  visit,
} from "../language/condition.ts"
import { encodeLeaf } from "../language/encode.ts"
import type { Configuration, Imported, Meaning } from "./form/form.ts"
import { placeOf } from "./form/tree.ts"
import { expression } from "./meaning/expression.ts"

/** Turns each value of an attribute such as `env` into an environment, and drops the attribute. */
export function splitBy(read: Imported, attribute: string, known: readonly string[]): Imported {
  const environments = known.length > 0 ? known : valuesOf(read, attribute)
  if (environments.length === 0) throw new Failure(`--split-by ${attribute}: no rule compares that attribute`)
  const flags = read.flags.map((flag) => ({
    ...flag,
    configurations: flag.configurations.flatMap((one) =>
      environments.map((environment) => ({
        ...inEnvironment(one, attribute, environment),
        meaning: ((attributes, ...others) =>
          one.meaning(
            (name) => (name === attribute ? environment : attributes(name)),
            ...others,
          )) satisfies Meaning,
      })),
    ),
  }))
  const segments = read.segments.flatMap((one) =>
    environments.map((environment) => ({
      ...one,
      environment,
      condition: decide(one.condition, attribute, environment),
    })),
  )
  return { ...read, flags, segments }
}

/** A configuration in one environment. What is said of rules that can match only in others is not said here. */
function inEnvironment(one: Configuration, attribute: string, environment: string): Configuration {
  const guards = one.guards.map((guard) => ({
    ...guard,
    when: decide(guard.when, attribute, environment),
    isImplied: true,
  }))
  const here = new Set(guards.flatMap(({ when, node }) => (isNever(when) ? [] : placeOf(node).pointer)))
  const elsewhere = one.guards
    .filter(({ when, node }) => !isNever(when) && !here.has(placeOf(node).pointer))
    .map(({ node }) => `${placeOf(node).pointer}/`)
  const losses = one.losses.filter(
    ({ code, place }) =>
      !ofExpressed.includes(code) || !elsewhere.some((rule) => `${place.pointer}/`.startsWith(rule)),
  )
  return { ...one, environment, guards, losses }
}

/** Codes of losses whose rules are written. The others leave something out that may have made a rule match everywhere. */
const ofExpressed: readonly string[] = ["import-clock", "import-share-rebucketed"]

/** The strings that the attribute is compared with. */
function valuesOf({ flags, segments }: Imported, attribute: string): readonly string[] {
  const guards = flags.flatMap(({ configurations }) => configurations.flatMap((one) => one.guards))
  const conditions = [...segments.map(({ condition }) => condition), ...guards.map(({ when }) => when)]
  const values = conditions
    .flatMap((condition) => [...visit(condition)])
    .flatMap((part) => (part.kind === "comparison" && part.attribute === attribute ? operandsOf(part) : []))
  return [...new Set(values)]
}

/** The condition in an environment, which is the attribute's value. */
function decide(condition: Condition, attribute: string, environment: string): Condition {
  return mapLeaves(condition, (leaf) => {
    if (leaf.kind === "flag") return { ...leaf, environment }
    return leaf.kind === "comparison" && leaf.attribute === attribute ? evaluate(leaf, environment) : leaf
  })
}

function operandsOf({ operator, operand }: Comparison): readonly string[] {
  return takesOperand(operator) ? [operand].flat() : []
}

/** Whether the attribute's value matches, as SDKs compare it. */
function evaluate(comparison: Comparison, value: string): Condition {
  const { operator, value: operand } = encodeLeaf(comparison, undefined)
  const bound = bindOperator(operator, operand, scopeOfFlag("", { compileExpression: expression }))
  return bound?.matches(value, bound.operand) ? always : never
}
