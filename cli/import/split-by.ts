import { Failure } from "../failure.ts"
import { always, type Comparison, type Condition, never, partsOf, replaceParts } from "./form/condition.ts"
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
    .flatMap(partsOf)
    .flatMap((part) => (part.kind === "comparison" && part.attribute === attribute ? (part.value ?? []) : []))
  return [...new Set(values)]
}

function decide(condition: Condition, attribute: string, value: string): Condition {
  return replaceParts(condition, (part) =>
    part.kind === "comparison" && part.attribute === attribute ? evaluate(part, value) : part,
  )
}

function evaluate(condition: Comparison, value: string): Condition {
  const fold = (text: string) => (condition.ignoreCase ? text.toLowerCase() : text)
  const operands = [condition.value ?? []].flat().map(fold)
  const own = fold(value)
  const tests: Readonly<Record<string, boolean>> = {
    ...{ exists: true, notExists: false, equals: operands.includes(own), in: operands.includes(own) },
    contains: operands.some((one) => own.includes(one)),
    startsWith: operands.some((one) => own.startsWith(one)),
    endsWith: operands.some((one) => own.endsWith(one)),
  }
  const is = tests[condition.operator]
  return is === undefined ? condition : is ? always : never
}
