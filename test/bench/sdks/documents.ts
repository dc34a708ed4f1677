import { copyFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Rule } from "../../../sdk/contract/snapshot.ts"
import { buildSnapshots } from "../snapshots.ts"

// What bench:sdks evaluates: the same flags for each tool, and the contexts.

const countries = ["DE", "FR", "IT", "ES", "PT", "PL", "NL", "BE", "AT", "CH", "DK", "SE", "NO", "FI", "IE"]
const contexts = Array.from({ length: 100 }, (_, at) => ({
  targetingKey: `customer-${at}`,
  plan: `plan-${at % 20}`,
  country: countries[at % 15],
  email: `ann-${at}@example-${at % 50}.com`,
}))

/** Each flag has none to three rules, all of which give `true`. */
const rulesAt = (at: number): readonly Rule[] =>
  Array.from({ length: at % 4 }, (_, index) => {
    const comparisons = [
      { attribute: "plan", operator: "equals", value: `plan-${(at + index) % 20}` },
      {
        attribute: "country",
        operator: "in",
        value: JSON.stringify(Array.from({ length: 5 }, (_, offset) => countries[(at + offset * 2) % 15])),
      },
      { attribute: "email", operator: "endsWith", value: `@example-${at % 50}.com` },
    ] as const
    return { id: `5f1d00${index}`, ...comparisons[((at + index) % 3) as 0 | 1 | 2], returnValue: true }
  })

const listOf = ({ operator, value }: Rule): readonly string[] =>
  operator === "in" ? JSON.parse(value) : [value]

/** A flag in other tools' formats. */
const formats: Readonly<Record<string, (flags: readonly (readonly [string, readonly Rule[]])[]) => unknown>> =
  {
    unleash: (flags) => ({
      version: 2,
      features: flags.map(([name, rules]) => ({
        name,
        enabled: true,
        // Without strategies, everyone would have it.
        strategies: (rules.length > 0 ? rules.map((rule) => [rule]) : [[]]).map(([rule]) => ({
          name: "default",
          parameters: {},
          constraints: [
            {
              contextName: rule?.attribute ?? "plan",
              operator: rule?.operator === "endsWith" ? "STR_ENDS_WITH" : "IN",
              values: rule === undefined ? [] : listOf(rule),
              inverted: false,
              caseInsensitive: false,
            },
          ],
        })),
      })),
    }),
    growthbook: (flags) => ({
      features: Object.fromEntries(
        flags.map(([key, rules]) => [
          key,
          {
            defaultValue: false,
            rules: rules.map((rule) => {
              const ends = { $regex: `${rule.value.replaceAll(".", "\\.")}$` }
              const test = { equals: rule.value, in: { $in: listOf(rule) }, endsWith: ends }[
                rule.operator as "in"
              ]
              return { condition: { [rule.attribute]: test }, force: true }
            }),
          },
        ]),
      ),
    }),
    flagd: (flags) => ({
      flags: Object.fromEntries(
        flags.map(([key, rules]) => {
          const conditions = rules.map((rule) => {
            const [name, value] = [
              { var: rule.attribute },
              rule.operator === "in" ? listOf(rule) : rule.value,
            ]
            return {
              [{ equals: "===", in: "in", endsWith: "ends_with" }[rule.operator as "in"]]: [name, value],
            }
          })
          const targeting = rules.length > 0 && { targeting: { if: [{ or: conditions }, "on", "off"] } }
          const variants = { on: true, off: false }
          return [key, { state: "ENABLED", variants, defaultVariant: "off", ...targeting }]
        }),
      ),
    }),
    featurevisor: (flags) => ({
      schemaVersion: "2",
      revision: "1",
      segments: Object.fromEntries(
        flags.flatMap(([key, rules]) =>
          rules.map(({ attribute, operator, value }, at) => {
            const condition =
              operator === "in"
                ? { attribute, operator, value: JSON.parse(value) }
                : { attribute, operator, value }
            return [`${key}-${at}`, { key: `${key}-${at}`, conditions: [condition] }]
          }),
        ),
      ),
      features: Object.fromEntries(
        flags.map(([key, rules]) => {
          const traffic = rules.map((_, at) => ({
            key: `${at}`,
            segments: `${key}-${at}`,
            percentage: 100_000,
          }))
          return [key, { key, bucketBy: "targetingKey", traffic }]
        }),
      ),
    }),
    launchdarkly: (flags) => ({
      flags: Object.fromEntries(
        flags.map(([key, rules]) => {
          const clauses = rules.map((rule) => ({
            attribute: rule.attribute,
            op: rule.operator === "endsWith" ? "endsWith" : "in",
            values: listOf(rule),
          }))
          const state = { version: 1, on: true, variations: [false, true], fallthrough: { variation: 0 } }
          return [
            key,
            { key, ...state, rules: clauses.map((clause) => ({ variation: 1, clauses: [clause] })) },
          ]
        }),
      ),
    }),
  }

/** Writes the contexts, and this many flags as a snapshot and in the format of each tool: `<tool>-<size>.json`. */
export function writeDocuments(folder: string, size: number): void {
  writeFileSync(join(folder, "contexts.json"), JSON.stringify(contexts))
  buildSnapshots(join(folder, String(size)), {
    project: "shop",
    flags: size,
    environments: ["production"],
    rulesAt,
  })
  copyFileSync(join(folder, String(size), "production.json"), join(folder, `flagstone-${size}.json`))
  const flags = Array.from(
    { length: size },
    (_, at) => [`flag-${String(at).padStart(5, "0")}`, rulesAt(at)] as const,
  )
  for (const [tool, format] of Object.entries(formats))
    writeFileSync(join(folder, `${tool}-${size}.json`), JSON.stringify(format(flags)))
}
