import { Failure } from "../failure.ts"
import {
  always,
  type Comparison,
  type Condition,
  mapLeaves,
  never,
  takesOperand,
  visit,
} from "../language/condition.ts"
import { operatorOf } from "../language/operators.ts"
import type { Question } from "../language/question.ts"
import type { Imported, Meaning } from "./form/form.ts"

/** Turns each value of an attribute such as `env` into an environment, and drops the attribute. */
export function splitBy(read: Imported, attribute: string, known: readonly string[]): Imported {
  const environments = known.length > 0 ? known : valuesOf(read, attribute)
  if (environments.length === 0) throw new Failure(`--split-by ${attribute}: no rule compares that attribute`)
  const flags = read.flags.map((flag) => ({
    ...flag,
    configurations: flag.configurations.flatMap((one) =>
      environments.map((environment) => ({
        ...one,
        environment,
        guards: one.guards.map((guard) => ({
          ...guard,
          when: decide(guard.when, attribute, environment),
          isImplied: true,
        })),
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

function evaluate(condition: Comparison, value: string): Condition {
  const { question, negates } = operatorOf(condition.operator) ?? {}
  if (question === undefined || negates !== undefined) return condition
  const fold = (text: string) => (condition.ignoreCase ? text.toLowerCase() : text)
  const operands = operandsOf(condition).map(fold)
  const is = answerOf(question, fold(value), operands)
  return is === undefined ? condition : is ? always : never
}

/** What the answer is for an attribute with this text; `undefined` if the question is about more than texts. */
function answerOf(question: Question, text: string, operands: readonly string[]): boolean | undefined {
  if (question.kind === "presence") return question.isPresent
  if (question.kind === "texts") return operands.includes(text)
  if (question.kind !== "part") return undefined
  const { where } = question
  if (where === "inside") return operands.some((operand) => text.includes(operand))
  return operands.some((operand) => (where === "start" ? text.startsWith(operand) : text.endsWith(operand)))
}
