import { bindOperator, scopeOfFlag } from "../../sdk/evaluation/operators.ts"
import { phrase } from "../diagnostics/phrase.ts"
import { Failure } from "../failure.ts"
import {
  always,
  type Comparison,
  type Condition,
  isAlways,
  isNever,
  mapLeaves,
  never,
  operandText,
  takesOperand,
  visit,
} from "../language/condition.ts"
import { nameOnWire, operators } from "../language/operators.ts"
import type { Configuration, Imported, Meaning, Remark } from "./form/form.ts"
import { placeOf } from "./form/tree.ts"
import { expression } from "./meaning/expression.ts"
import { segmentsIn } from "./name-segments.ts"

/**
 * Turns each value of an attribute such as `env` into an environment, and drops the attribute. `known`: the values that stand
 * for a project's environments, if there is a project.
 */
export function splitBy(read: Imported, attribute: string, known: readonly string[]): Imported {
  const conditions = new Map(read.segments.map(({ name, condition }) => [name, condition]))
  const comparisons = read.flags
    .flatMap(({ configurations }) => configurations.flatMap(({ guards }) => guards))
    .flatMap(({ when }) => comparisonsOf(when, attribute, conditions))
  if (!comparisons.some(({ operator }) => takesOperand(operator)))
    throw new Failure(`--split-by ${attribute}: no rule compares that attribute`)
  const environments = known.length > 0 ? known : valuesIn(comparisons)
  const decided = environments.map((environment) => decideIn(environment, attribute, read))
  const flags = read.flags.map((flag) => ({
    ...flag,
    configurations: flag.configurations.flatMap((one) =>
      decided.map(({ environment, decide }) => ({
        ...inEnvironment(one, environment, decide),
        meaning: ((attributes, ...others) =>
          one.meaning(
            (name) => (name === attribute ? environment : attributes(name)),
            ...others,
          )) satisfies Meaning,
      })),
    ),
  }))
  // Which of the environments they are about is unknown.
  const remarks = read.remarks.map((one) => ({ ...one, environment: undefined }))
  return {
    flags,
    segments: decided.flatMap((one) => one.segments),
    remarks: [...remarks, ...unknownValues(read, attribute, environments, conditions)],
  }
}

/** Remarks on values for which there is no environment. */
function unknownValues(
  { flags }: Imported,
  attribute: string,
  environments: readonly string[],
  segments: Segments,
): readonly Remark[] {
  const lower = environments.map((name) => name.toLowerCase())
  const isOneOf = (value: string, { ignoreCase }: Comparison) =>
    ignoreCase ? lower.includes(value.toLowerCase()) : environments.includes(value)
  const text = "a rule asks for an environment that the project does not have"
  return flags.flatMap(({ key, configurations }) =>
    configurations
      .flatMap(({ guards }) => guards)
      .flatMap(({ when, node }) =>
        comparisonsOf(when, attribute, segments)
          .filter(namesValues)
          .flatMap((comparison) => operandsOf(comparison).filter((value) => !isOneOf(value, comparison)))
          .map((value) => ({ node, flag: key, text, detail: phrase`${value}` })),
      ),
  )
}

/** A configuration in one environment. What is said of rules that can match only in others is not said here. */
function inEnvironment(one: Configuration, environment: string, decide: Decide): Configuration {
  const guards = one.guards.map((guard) => ({ ...guard, when: decide(guard.when), isImplied: true }))
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

/** The strings that the attribute is compared with. Throws `Failure` if a rule asks for others, which it does not name. */
function valuesIn(comparisons: readonly Comparison[]): readonly string[] {
  const vague = comparisons.find((one) => takesOperand(one.operator) && !namesValues(one))
  if (vague !== undefined)
    throw new Failure(
      `--split-by ${vague.attribute}: a rule asks whether it ${vague.operator} ${operandText(vague)}, which does not name its values: first write a project.yaml with the environments`,
    )
  return [...new Set(comparisons.flatMap(operandsOf))]
}

/** Whether a comparison is with whole strings. */
function namesValues({ operator }: Comparison): boolean {
  return operators.get(operator)?.question.kind === "texts"
}

/** Conditions of segments, by name. */
type Segments = ReadonlyMap<string, Condition>

/** The comparisons with the attribute, also in segments that the condition uses. */
function comparisonsOf(condition: Condition, attribute: string, segments: Segments): readonly Comparison[] {
  const conditions = new Set([condition])
  for (const one of conditions)
    for (const name of segmentsIn(one)) conditions.add(segments.get(name) ?? never)
  return [...conditions]
    .flatMap((one) => [...visit(one)])
    .flatMap((part) => (part.kind === "comparison" && part.attribute === attribute ? part : []))
}

type Decide = (condition: Condition) => Condition

/**
 * Returns a function that decides conditions in an environment, which is the attribute's value, and the segments there. A segment
 * that matches everyone or no one is replaced, because no file can say that. Each segment comes after those that it uses.
 */
function decideIn(environment: string, attribute: string, { segments }: Imported) {
  const constant = new Map<string, Condition>()
  const decide: Decide = (condition) =>
    mapLeaves(condition, (leaf) => {
      if (leaf.kind === "flag") return { ...leaf, environment }
      if (leaf.kind === "segment") return constant.get(leaf.name) ?? leaf
      return leaf.kind === "comparison" && leaf.attribute === attribute ? evaluate(leaf, environment) : leaf
    })
  const decided = segments.map((one) => {
    const condition = decide(one.condition)
    if (isAlways(condition) || isNever(condition)) constant.set(one.name, condition)
    return { ...one, environment, condition }
  })
  return { environment, decide, segments: decided.filter(({ name }) => !constant.has(name)) }
}

function operandsOf({ operator, operand }: Comparison): readonly string[] {
  return takesOperand(operator) ? [operand].flat() : []
}

/** Whether the attribute's value matches, as SDKs compare it. */
function evaluate(comparison: Comparison, value: string): Condition {
  const operator = nameOnWire(comparison.operator, comparison.ignoreCase)
  const scope = scopeOfFlag("", { compileExpression: expression })
  const bound = bindOperator(operator, operandText(comparison), scope)
  return bound?.matches(value, bound.operand) ? always : never
}
