import { readFileSync } from "node:fs"
import { Ajv } from "ajv"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Side } from "../../../cli/diff/sides/pair-flags.ts"
import { applyDiff } from "./apply.ts"
import { condition, contexts, word } from "./arbitraries.ts"
import { type Affected, canonical, checkAffected, type Given } from "./sentences.ts"
import { diffOf, documentsOf, sideOf } from "./sides.ts"

const schemaFile = new URL("../../../cli/diff/diff.schema.json", import.meta.url)
const validate = new Ajv({ strict: true, allErrors: true }).compile(
  JSON.parse(readFileSync(schemaFile, "utf8")),
)

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
  test("the diff's JSON, applied to the snapshots before, gives those after", () => {
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
        const [documentBefore, documentAfter] = [documentsOf(before).prod, documentsOf(after).prod]
        const applied = applyDiff(documentBefore === undefined ? {} : { prod: documentBefore }, json)
        expect(applied).toEqual(documentAfter === undefined ? {} : { prod: documentAfter })
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

  test("who gets another value is said, and who is said to get one does", () => {
    fc.assert(
      fc.property(sides, ([before, after]) => {
        const { changes }: { changes: readonly ChangeJson[] } = JSON.parse(diffOf(before, after).json)
        for (const flagBefore of before.flags) {
          const flagAfter = after.flags.find(({ flag: { key } }) => key === flagBefore.flag.key)
          if (flagAfter === undefined) continue
          const own = changes.filter(({ flag }) => flag === flagBefore.flag.key)
          const shared = before.project?.environments.filter(({ name }) =>
            after.project?.environments.some((other) => other.name === name),
          )
          for (const { name } of shared ?? []) {
            const [one, other] = [flagBefore, flagAfter].map(({ flag, configurations }) => ({
              key: flag.key,
              defaultValue: flag.defaultValue,
              configuration: configurations.get(name),
            })) as [Given, Given]
            const affected = own.flatMap((change) => change.affected).filter(isIn(name))
            checkAffected(one, other, affected, contexts)
          }
        }
      }),
      { numRuns: 3_000 },
    )
  })
})

interface ChangeJson {
  readonly flag?: string
  readonly affected: readonly (Affected & { readonly environment: string })[]
}

function isIn(name: string) {
  return ({ environment }: { readonly environment: string }) => environment === name
}
