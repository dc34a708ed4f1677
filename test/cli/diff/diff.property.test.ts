import { readFileSync } from "node:fs"
import { Ajv } from "ajv"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { excludes, implies } from "../../../cli/diff/condition.ts"
import type { Side } from "../../../cli/diff/pair-flags.ts"
import { plainPhrase } from "../../../cli/diff/phrase.ts"
import { applyDiff } from "./apply.ts"
import { type Context, evaluate, matches } from "./evaluate.ts"
import { diffOf, documentsOf, sideOf } from "./sides.ts"

const schemaFile = new URL("../../../cli/diff/diff.schema.json", import.meta.url)
const validate = new Ajv({ strict: true, allErrors: true }).compile(
  JSON.parse(readFileSync(schemaFile, "utf8")),
)

// Few words, so that what is generated on two sides meets.
const words = ["a", "ab", "b", "ba", "1", "5"]
const word = fc.constantFrom(...words)
const attribute = fc.constantFrom("x", "y")
const condition = fc.oneof(
  fc.record({
    attribute,
    operator: fc.constantFrom(
      "equals",
      "notEquals",
      "contains",
      "notContains",
      "startsWith",
      "endsWith",
      "matches",
      "notMatches",
    ),
    value: word,
  }),
  fc
    .record({
      attribute,
      operator: fc.constantFrom("in", "notIn"),
      items: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
    })
    .map(({ items, ...rest }) => ({ ...rest, value: JSON.stringify(items) })),
  fc.record({ attribute, operator: fc.constantFrom("exists", "notExists"), value: fc.constant("") }),
  fc.record({
    attribute,
    operator: fc.constant("percentage"),
    value: fc.constantFrom("0", "25", "50", "100"),
  }),
  fc.record({
    attribute,
    operator: fc.constantFrom("greaterThan", "lessThanOrEquals"),
    value: fc.constantFrom("1", "5"),
  }),
)
const context: fc.Arbitrary<Context> = fc.dictionary(attribute, fc.constantFrom(...words, "7", "abba", "c"))
const contexts = [undefined, ...words, "7", "abba", "c", "q", "r", "s"].flatMap((x) =>
  [undefined, ...words, "7", "abba"].map(
    (y): Context => ({ ...(x === undefined ? {} : { x }), ...(y === undefined ? {} : { y }) }),
  ),
)

describe("what is certain of two conditions", () => {
  test("holds for every context", () => {
    fc.assert(
      fc.property(condition, condition, context, (a, b, given) => {
        const [inA, inB] = [matches(a, given), matches(b, given)]
        if (implies(a, b)) expect(inA && !inB).toBe(false)
        if (excludes(a, b)) expect(inA && inB).toBe(false)
        expect(excludes(a, b)).toBe(excludes(b, a))
      }),
      { numRuns: 20_000 },
    )
  })
})

function ruleOf(
  { attribute, operator, value }: { attribute: string; operator: string; value: string },
  returnValue: unknown,
) {
  const rule = { attribute, operator, returnValue }
  if (value === "") return rule
  return { ...rule, value: operator === "in" || operator === "notIn" ? JSON.parse(value) : value }
}

function configurationOf(value: fc.Arbitrary<unknown>) {
  return fc
    .record({
      enabled: fc.boolean(),
      rules: fc.uniqueArray(fc.tuple(condition, value), {
        maxLength: 4,
        selector: (rule) => canonical(rule),
      }),
      always: fc.option(value, { nil: undefined, freq: 3 }),
      id: fc.constantFrom(undefined, undefined, undefined, "given"),
    })
    .map(({ enabled, rules, always, id }) => ({
      enabled,
      rules: [
        ...rules.map(([each, returned], at) => ({
          ...ruleOf(each, returned),
          ...(id && at === 0 ? { id } : {}),
        })),
        ...(always === undefined ? [] : [{ operator: "always", returnValue: always }]),
      ],
    }))
}

function flagOf(type: string, value: fc.Arbitrary<unknown>) {
  const environments = fc.record(
    { dev: configurationOf(value), prod: configurationOf(value), extra: configurationOf(value) },
    { requiredKeys: [] },
  )
  return fc.record(
    {
      type: fc.constant(type),
      defaultValue: value,
      name: word,
      description: word,
      owner: word,
      tags: fc.array(word, { maxLength: 2 }),
      environments,
    },
    { requiredKeys: ["type", "defaultValue"] },
  )
}

const flag = fc.oneof(
  flagOf("boolean", fc.boolean()),
  flagOf("string", word),
  flagOf("json", fc.constantFrom(null, { a: 1, b: [2] }, { b: [2], a: 1 }, [])),
)
const project = fc.record({
  project: fc.constantFrom("p", "p", "p", "q"),
  environments: fc.constantFrom(
    ["dev", "prod"],
    ["dev", "prod"],
    ["prod", "dev", "extra"],
    [{ name: "dev", id: "7" }, "prod"],
  ),
  protected: fc.constantFrom([], ["prod"]),
})
const flags = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), flag, { maxKeys: 4 })

function sideFrom(
  files: Record<string, object>,
  file: { environments: readonly (string | { name: string })[] },
): Side {
  const known = file.environments.map((environment) =>
    typeof environment === "string" ? environment : environment.name,
  )
  const fitting = Object.entries(files).map(([key, content]) => {
    const environments = (content as { environments?: object }).environments ?? {}
    const own = Object.fromEntries(Object.entries(environments).filter(([name]) => known.includes(name)))
    return [key, { ...content, environments: own }]
  })
  return sideOf(Object.fromEntries(fitting), JSON.stringify(file))
}

const side = fc.tuple(flags, project).map(([files, file]) => sideFrom(files, file))

/** Two sides that have much in common: most pull requests change little. */
const near = fc
  .record({
    files: flags,
    file: project,
    key: fc.constantFrom("a", "b"),
    other: flag,
    renamed: fc.boolean(),
    from: fc.nat(3),
    environment: fc.constantFrom("dev", "prod"),
    how: fc.nat(2),
  })
  .map(({ files, file, key, other, renamed, from, environment, how }): readonly [Side, Side] => {
    const changed: Record<string, object> = { ...files }
    if (renamed && changed[key] !== undefined) {
      changed.new = changed[key]
      delete changed[key]
    } else if (how === 0) changed[key] = other
    else {
      const rules = rulesIn(changed[key], environment)
      const [rule] = rules.splice(from % Math.max(1, rules.length - 1), 1)
      if (rule !== undefined && how === 1 && rule.operator !== "always") rules.unshift(rule)
      changed[key] = { ...(changed[key] ?? other), ...withRules(changed[key], environment, rules) }
    }
    return [sideFrom(files, file), sideFrom(changed, file)]
  })

// biome-ignore lint/suspicious/noExplicitAny: generated, and compiled right after
function rulesIn(file: any, environment: string): any[] {
  return [...(file?.environments?.[environment]?.rules ?? [])]
}

// biome-ignore lint/suspicious/noExplicitAny: generated, and compiled right after
function withRules(file: any, environment: string, rules: any[]) {
  if (file?.environments?.[environment] === undefined) return {}
  return {
    environments: { ...file.environments, [environment]: { ...file.environments[environment], rules } },
  }
}

const nothing = fc.constant(sideOf({}, null))
const sides = fc.oneof(near, fc.tuple(side, side), fc.tuple(nothing, side), fc.tuple(side, nothing))

describe("two revisions", () => {
  test("the diff's JSON, applied to the older snapshots, gives the newer ones", () => {
    fc.assert(
      fc.property(sides, ([before, after]) => {
        const { json } = diffOf(before, after)
        expect(applyDiff(documentsOf(before), json)).toEqual(documentsOf(after))
      }),
      { numRuns: 2_000 },
    )
  })

  test("the JSON is what the schema says", () => {
    fc.assert(
      fc.property(sides, ([before, after]) => {
        const valid = validate(JSON.parse(diffOf(before, after).json))
        expect(validate.errors ?? []).toEqual([])
        expect(valid).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test("with one environment alone, it gives that environment's", () => {
    fc.assert(
      fc.property(sides, ([before, after]) => {
        const only = (name: string) => name === "prod"
        const { json } = diffOf(before, after, only)
        const [old, now] = [documentsOf(before).prod, documentsOf(after).prod]
        const applied = applyDiff(old === undefined ? {} : { prod: old }, json)
        expect(applied).toEqual(now === undefined ? {} : { prod: now })
      }),
      { numRuns: 1_000 },
    )
  })

  test("the same revision gives none", () => {
    fc.assert(
      fc.property(side, (one) => {
        expect(diffOf(one, one)).toMatchObject({ changes: [], warnings: [] })
      }),
      { numRuns: 300 },
    )
  })

  test("whoever gets another value is told of, and what is said of everyone is true", () => {
    fc.assert(
      fc.property(sides, ([before, after]) => {
        const { changes } = diffOf(before, after)
        for (const older of before.flags) {
          const newer = after.flags.find(({ flag: { key } }) => key === older.flag.key)
          if (newer === undefined) continue
          const own = changes.filter((change) => "flag" in change && change.flag === older.flag.key)
          const shared = before.project?.environments.filter(({ name }) =>
            after.project?.environments.some((other) => other.name === name),
          )
          for (const { name } of shared ?? []) {
            const values = contexts.map((given) =>
              [older, newer].map(({ flag: { key, defaultValue }, configurations }) =>
                canonical(evaluate(key, defaultValue, configurations.get(name), given)),
              ),
            )
            const said = own.flatMap(({ effects }) =>
              effects.filter(({ environment }) => environment === name).map(({ who }) => plainPhrase(who)),
            )
            if (said.length === 0) expect(values.filter(([old, now]) => old !== now)).toEqual([])
            for (const sentence of said) {
              const [, now, was] =
                /^everyone in `\w+` now gets `(.*?)`(?: instead of `(.*)`)?$/.exec(sentence) ?? []
              if (now !== undefined)
                expect(new Set(values.map(([, value]) => value))).toEqual(
                  new Set([canonical(JSON.parse(now))]),
                )
              if (was !== undefined)
                expect(new Set(values.map(([value]) => value))).toEqual(new Set([canonical(JSON.parse(was))]))
            }
            checkSentences(said, contexts, values)
          }
        }
      }),
      { numRuns: 3_000 },
    )
  })
})

/** `contexts whose x is a now get v instead of w` is true of each of them. */
function checkSentences(
  said: readonly string[],
  given: readonly Context[],
  values: readonly (readonly string[])[],
): void {
  for (const sentence of said) {
    const [, attribute = "", verb = "", text = "", now, was] =
      /^contexts whose `(\w)` (is|starts with|ends with|contains) `(\w+)` now get `(.*?)`(?: instead of `(.*)`)?$/.exec(
        sentence,
      ) ?? []
    if (now === undefined) continue
    const operator =
      { is: "equals", "starts with": "startsWith", "ends with": "endsWith", contains: "contains" }[verb] ?? ""
    for (const [at, one] of given.entries()) {
      if (!matches({ attribute, operator, value: text }, one)) continue
      expect([sentence, values[at]?.[1]]).toEqual([sentence, canonical(JSON.parse(now))])
      if (was !== undefined)
        expect([sentence, values[at]?.[0]]).toEqual([sentence, canonical(JSON.parse(was))])
    }
  }
}

/** JSON text that does not depend on the order of members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}
