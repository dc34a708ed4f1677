// @module-tag property
import { readFileSync } from "node:fs"
import { Ajv } from "ajv"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Side } from "../../../cli/diff/sides/side.ts"
import { timelessEntry } from "../../../cli/flag/sent-flag.ts"
import { runs } from "../../runs.ts"
import { type Affected, canonical, checkAffected, type Given } from "./affected.ts"
import { applyDiff } from "./apply.ts"
import { condition, contexts, word } from "./arbitraries.ts"
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

const flagsByType = [
  flagOf("boolean", fc.boolean()),
  flagOf("string", word),
  flagOf("json", fc.constantFrom(null, { a: 1, b: [2] }, { b: [2], a: 1 }, [])),
]
const flag = fc.oneof(...flagsByType)
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

/** Two sides that have much in common: most pull requests change little. Only the changed flag takes time. */
const near = fc
  .record({
    alike: fc.oneof(...flagsByType.map((typed) => fc.tuple(typed, typed))),
    others: fc.dictionary(fc.constantFrom("b", "c"), flag, { maxKeys: 1 }),
    file: project,
    other: flag,
    environment: fc.constantFrom("dev", "prod"),
    at: fc.nat(3),
    how: fc.constantFrom("rewritten", "renamed", "raised", "removed", "replaced", "inserted", "switched"),
  })
  .map(({ alike: [one, donor], others, file, other, environment, at, how }): readonly [Side, Side] => {
    const files = { a: one, ...others }
    const rules = rulesIn(one, environment)
    const taken = rulesIn(donor, environment)
      .filter(({ operator }) => operator !== "always")
      .map(({ id: _, ...rule }) => rule)
    const last = Math.max(0, rules.length - 1)
    const [rule] = rules.slice(at % Math.max(1, last))
    const isFree = rule !== undefined && rule.operator !== "always"
    const edited = {
      raised: isFree ? [rule, ...rules.toSpliced(rules.indexOf(rule), 1)] : rules,
      removed: rules.toSpliced(at % Math.max(1, last), 1),
      replaced: isFree ? rules.toSpliced(rules.indexOf(rule), 1, ...taken.slice(0, 1)) : rules,
      inserted: [...taken.slice(0, 1), ...rules],
    }
    switch (how) {
      case "rewritten":
        return [sideFrom(files, file), sideFrom({ ...files, a: other }, file)]
      case "renamed":
        return [sideFrom(files, file), sideFrom({ new: one, ...others }, file)]
      case "switched":
        return [sideFrom(files, file), sideFrom({ ...files, a: switched(one, environment) }, file)]
      default:
        return [
          sideFrom(files, file),
          sideFrom({ ...files, a: withRules(one, environment, edited[how]) }, file),
        ]
    }
  })

// biome-ignore lint/suspicious/noExplicitAny: generated, and compiled right after
function switched(file: any, environment: string) {
  const own = file.environments?.[environment]
  if (own === undefined)
    return { ...file, environments: { ...file.environments, [environment]: { enabled: true } } }
  return { ...file, environments: { ...file.environments, [environment]: { ...own, enabled: !own.enabled } } }
}

// biome-ignore lint/suspicious/noExplicitAny: generated, and compiled right after
function rulesIn(file: any, environment: string): any[] {
  return [...(file?.environments?.[environment]?.rules ?? [])]
}

/** The file with these rules in an environment, without duplicates: the same rule twice is a mistake. */
// biome-ignore lint/suspicious/noExplicitAny: generated, and compiled right after
function withRules(file: any, environment: string, rules: readonly any[]) {
  const own = file.environments?.[environment]
  if (own === undefined) return file
  const textOf = ({ id: _, ...rule }: { readonly id?: string }) => canonical(rule)
  const distinct = rules.filter((rule, at) => rules.findIndex((one) => textOf(one) === textOf(rule)) === at)
  return { ...file, environments: { ...file.environments, [environment]: { ...own, rules: distinct } } }
}

const nothing = fc.constant(sideOf({}, null))
const sides = fc.oneof(
  { weight: 9, arbitrary: near },
  { weight: 2, arbitrary: fc.tuple(side, side) },
  { weight: 1, arbitrary: fc.oneof(fc.tuple(nothing, side), fc.tuple(side, nothing)) },
)

describe("two revisions", () => {
  test("the diff's JSON, applied to the snapshots before, gives those after", () => {
    fc.assert(
      fc.property(sides, ([before, after]) => {
        const { json } = diffOf(before, after)
        expect(applyDiff(documentsOf(before), json)).toEqual(documentsOf(after))
      }),
      { numRuns: runs(100) },
    )
  })

  test("the JSON is valid against the schema", () => {
    fc.assert(
      fc.property(sides, ([before, after]) => {
        const valid = validate(JSON.parse(diffOf(before, after).json))
        expect(validate.errors ?? []).toEqual([])
        expect(valid).toBe(true)
      }),
      { numRuns: runs(20) },
    )
  })

  test("with only one environment, it gives that environment's", () => {
    fc.assert(
      fc.property(sides, ([before, after]) => {
        const only = (name: string) => name === "prod"
        const { json } = diffOf(before, after, only)
        const [documentBefore, documentAfter] = [documentsOf(before).prod, documentsOf(after).prod]
        const applied = applyDiff(documentBefore === undefined ? {} : { prod: documentBefore }, json)
        expect(applied).toEqual(documentAfter === undefined ? {} : { prod: documentAfter })
      }),
      { numRuns: runs(50) },
    )
  })

  test("the same revision gives none", () => {
    fc.assert(
      fc.property(side, (one) => {
        expect(diffOf(one, one)).toMatchObject({ changes: [], warnings: [] })
      }),
      { numRuns: runs(10) },
    )
  })

  test("everyone whose value changes is reported, and everyone reported has a changed value", () => {
    fc.assert(
      fc.property(sides, ([before, after]) => {
        const { changes }: { changes: readonly ChangeJson[] } = JSON.parse(diffOf(before, after).json)
        for (const flagBefore of before.flags) {
          const flagAfter = after.flags.find(({ key }) => key === flagBefore.key)
          if (flagAfter === undefined) continue
          const own = changes.filter(({ flag }) => flag === flagBefore.key)
          const shared = before.project?.environments.filter(({ name }) =>
            after.project?.environments.some((other) => other.name === name),
          )
          for (const { name } of shared ?? []) {
            const [one, other] = [flagBefore, flagAfter].map((flag) => ({
              key: flag.key,
              defaultValue: flag.defaultValue,
              configuration: timelessEntry(flag, name).environment ?? undefined,
            })) as [Given, Given]
            const affected = own.flatMap((change) => change.affected).filter(isIn(name))
            checkAffected(one, other, affected, contexts)
          }
        }
      }),
      { numRuns: runs(125) },
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
