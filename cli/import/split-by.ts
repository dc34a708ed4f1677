import { all, always, any, type Comparison, type Condition, type Imported, never, none } from "./form/form.ts"

/** Makes an environment of each value of an attribute that tells environments apart, and drops the attribute. */
export function splitBy(read: Imported, attribute: string, known: readonly string[]): Imported {
  const environments = known.length > 0 ? known : valuesOf(read, attribute)
  if (environments.length === 0) return read
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
        meaning: (attributes: Parameters<typeof one.meaning>[0], bucket: Parameters<typeof one.meaning>[1]) =>
          one.meaning((name) => (name === attribute ? environment : attributes(name)), bucket),
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

/** The texts that the attribute is compared with. */
function valuesOf({ flags, segments }: Imported, attribute: string): readonly string[] {
  const found = new Set<string>()
  const visit = (condition: Condition): void => {
    if ("conditions" in condition) condition.conditions.forEach(visit)
    else if (condition.kind === "comparison" && condition.attribute === attribute)
      for (const value of [condition.value ?? []].flat()) found.add(value)
  }
  for (const { condition } of segments) visit(condition)
  for (const { when } of flags.flatMap(({ configurations }) =>
    configurations.flatMap(({ guards }) => guards),
  ))
    visit(when)
  return [...found]
}

function decide(condition: Condition, attribute: string, value: string): Condition {
  if (condition.kind === "comparison")
    return condition.attribute === attribute ? holds(condition, value) : condition
  if (!("conditions" in condition)) return condition
  const parts = condition.conditions.map((part) => decide(part, attribute, value))
  return { all, any, none }[condition.kind](...parts)
}

function holds(condition: Comparison, value: string): Condition {
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
