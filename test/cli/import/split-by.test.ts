import { expect, test } from "vitest"
import { environmentsOf } from "../../../cli/import/environments.ts"
import { readDocuments } from "../../../cli/import/form/read-file.ts"
import type { Tool } from "../../../cli/import/form/tool.ts"
import { goff } from "../../../cli/import/goff.ts"
import { launchDarkly } from "../../../cli/import/launchdarkly.ts"
import { flagsAsked } from "../../../cli/import/prepare.ts"
import { splitBy } from "../../../cli/import/split-by.ts"
import { importedProject } from "../../../cli/init/imported-project.ts"
import { isNever, visit } from "../../../cli/language/condition.ts"
import { importInto } from "./import-text.ts"

const options = { strategies: new Map(), knownValues: new Map() }
const environments = ["dev-eu", "dev-us", "prod-eu", "DEV-EU"]

/** The environments in which everyone, and in which no one, matches the first rule. */
function decided(tool: Tool, content: object) {
  const file = { path: "a.json", text: JSON.stringify(content), environment: undefined }
  const { flags } = splitBy(tool.read(readDocuments(file), options), "env", environments)
  const [flag] = flags
  return flag?.configurations.map(({ guards, environment }) => {
    const when = guards[0]?.when
    if (when?.kind === "comparison" && when.operator === "always") return `${environment}: all`
    return `${environment}: ${when?.kind === "any" && when.parts.length === 0 ? "none" : "open"}`
  })
}

const rule = (query: string) => ({
  a: {
    variations: { on: 1, off: 0 },
    targeting: [{ query, variation: "on" }],
    defaultRule: { variation: "off" },
  },
})
const ruleOf = (clause: object) => ({
  a: {
    ...{ on: true, variations: [true, false], offVariation: 1, fallthrough: { variation: 1 } },
    rules: [{ variation: 0, clauses: [clause] }],
  },
})
const clause = (op: string, ...values: readonly unknown[]) => ({
  flags: ruleOf({ attribute: "env", op, values }),
})

test.each([["in", ["dev-eu", "prod-eu"], ["all", "none", "all", "none"]]])(
  "an environment decides whether it %s any of %j",
  (operator, values, answers) => {
    expect(decided(launchDarkly, clause(operator, ...values))).toEqual(
      environments.map((name, at) => `${name}: ${answers[at]}`),
    )
  },
)

test("the environments are those that rules compare the attribute with, if the project names none", () => {
  const query = '(env eq "a" or env in ["b", "a"]) and plan eq "c"'
  const file = { path: "a.json", text: JSON.stringify(rule(query)), environment: undefined }
  const read = goff.read(readDocuments(file), options)
  expect(splitBy(read, "env", []).flags[0]?.configurations.map(({ environment }) => environment)).toEqual([
    "a",
    "b",
  ])
  for (const known of [[], ["prod"]])
    expect(() => splitBy(read, "site", known)).toThrow("--split-by site: no rule compares that attribute")
})

test("rules that compare parts of names need a project with the environments", () => {
  const file = {
    path: "a.json",
    text: JSON.stringify(rule('env eq "dev" or env sw "prod-"')),
    environment: undefined,
  }
  const read = goff.read(readDocuments(file), options)
  expect(() => splitBy(read, "env", [])).toThrow(
    "--split-by env: a rule asks whether it startsWith prod-, which does not name its values: first write a project.yaml with the environments",
  )
  expect(splitBy(read, "env", ["dev", "prod-eu"]).flags[0]?.configurations).toHaveLength(2)
})

test("the other tool is asked with the environment as the attribute, and about no other one", () => {
  const file = {
    path: "a.json",
    text: JSON.stringify(rule('env eq "dev" and plan eq "pro"')),
    environment: undefined,
  }
  const read = splitBy(goff.read(readDocuments(file), options), "env", ["dev", "prod"])
  const values = read.flags[0]?.configurations.map(({ meaning }) =>
    meaning((name) => (name === "env" ? "other" : name === "plan" ? "pro" : "u"), goff.hash),
  )
  expect(values).toEqual([
    { kind: "value", value: 1 },
    { kind: "value", value: 0 },
  ])
})

test("segments are decided in each environment, and a flag is asked there", () => {
  const { flags } = clause("segmentMatch", "s")
  const a = { ...flags.a, prerequisites: [{ key: "b", variation: 0 }] }
  const segments = {
    s: {
      rules: [
        {
          clauses: [
            { attribute: "env", op: "in", values: ["prod"] },
            { attribute: "x", op: "in", values: ["y"] },
          ],
        },
      ],
    },
  }
  const file = {
    path: "a.json",
    text: JSON.stringify({ flags: { a, b: flags.a }, segments }),
    environment: undefined,
  }
  const read = splitBy(launchDarkly.read(readDocuments(file), options), "env", ["dev", "prod"])
  expect(read.segments.map(({ environment, condition }) => [environment, isNever(condition)])).toEqual([
    ["prod", false],
  ])
  const asked = read.flags[0]?.configurations.flatMap(flagsAsked)
  expect(asked?.map(({ key }) => key)).toEqual(["b", "b"])
  const parts = read.flags[0]?.configurations.flatMap(({ guards }) =>
    guards.flatMap(({ when }) => [...visit(when)]),
  )
  expect(parts?.flatMap((one) => (one.kind === "flag" ? one.environment : []))).toEqual(["dev", "prod"])
})

test("only environments with a rule's steps or shares need what these ask for", () => {
  const percentage = (on: number) => ({ percentage: { on, off: 100 - on } })
  const steps = [{ date: "2026-12-01T09:00:00Z", targeting: [{ name: "slow", ...percentage(50) }] }]
  const targeting = [
    { name: "slow", query: 'env eq "prod"', ...percentage(5) },
    { name: "split", query: 'env eq "dev"', ...percentage(10) },
    { name: "odd", query: 'env eq "dev" or plan gt true', ...percentage(10) },
  ]
  const content = { a: { ...rule("").a, targeting, scheduledRollout: steps } }
  const file = { path: "a.json", text: JSON.stringify(content), environment: undefined }
  const [flag] = splitBy(goff.read(readDocuments(file), options), "env", []).flags
  expect(
    flag?.configurations.map(({ environment, losses }) => [
      environment,
      ...losses.map(({ code, place }) => `${code.split("-").at(-1)} ${place.pointer.slice(13)}`),
    ]),
  ).toEqual([
    ["prod", ...["rebucketed 0", "clock 0", "logic 2/query"]],
    ["dev", ...["rebucketed 1", "logic 2/query", "rebucketed 2"]],
  ])
})

test("rules that only another environment has are left out without a remark", async () => {
  const file = { path: "a.json", text: JSON.stringify(rule('env eq "dev"')), environment: undefined }
  const read = splitBy(goff.read(readDocuments(file), options), "env", [])
  const project = importedProject("/flags", environmentsOf(read), "shop")
  const { remarks, results } = await importInto(project, read, goff)
  expect([remarks.map(({ text }) => text), results.map(({ verdict }) => verdict)]).toEqual([[], ["exact"]])
})

test("a segment that matches everyone or no one in an environment is not written for it", async () => {
  const match = (...segments: readonly string[]) => ({ op: "segmentMatch", values: segments })
  const asks = (...values: readonly string[]) => ({ attribute: "env", op: "in", values })
  const pro = { attribute: "plan", op: "in", values: ["pro"] }
  const segments = {
    everyone: { rules: [{ clauses: [asks("prod")] }] },
    qa: { rules: [{ clauses: [asks("qa"), pro] }] },
    inner: { rules: [{ clauses: [match("qa")] }, { clauses: [match("everyone"), pro] }] },
  }
  const file = {
    path: "a.json",
    text: JSON.stringify({ flags: ruleOf(match("inner")), segments }),
    environment: undefined,
  }
  const read = splitBy(launchDarkly.read(readDocuments(file), options), "env", ["dev", "prod"])
  const { results, sources, remarks } = await importInto(
    importedProject("/flags", environmentsOf(read), "shop"),
    read,
    launchDarkly,
  )
  expect(results.map(({ verdict }) => verdict)).toEqual(["exact", "exact"])
  expect(sources.map(({ path }) => path)).toEqual(["/flags/segments/inner.segment.yaml", "/flags/a.yaml"])
  expect(remarks.map(({ message }) => message.replaceAll("`", ""))).toEqual([
    "a rule asks for an environment that the project does not have: qa",
    "it is on, but returns its off value to everyone, so it is written with enabled: false",
  ])
})
