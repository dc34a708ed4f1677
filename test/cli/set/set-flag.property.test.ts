// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { stringify } from "yaml"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { timelessEntry } from "../../../cli/flag/sent-flag.ts"
import { memoryFiles } from "../../../cli/project/files.ts"
import { openProject } from "../../../cli/project/open-project.ts"
import { type Setting, setConfigurations } from "../../../cli/set/set-flag.ts"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { runs } from "../../runs.ts"

const environments = ["staging", "production"]
const project = { path: "/p/project.yaml", text: `project: p\nenvironments: [${environments.join(", ")}]\n` }

/** The flag of a text, and what each environment gives to each context. */
async function open(text: string) {
  const report = createReport()
  const { flags } = await openProject(memoryFiles("/p", [{ path: "/p/a.yaml", text }, project]), report)
  const [flag] = flags
  const mistakes = report.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code)
  expect(mistakes.filter((code) => !unreachable.includes(code))).toEqual([])
  if (flag === undefined) throw new Error("no flag")
  const values = new Map<string, readonly unknown[]>()
  for (const name of environments) {
    const evaluator = await createEvaluator({ flags: [timelessEntry(flag, name)] })
    const valueFor = (context: object) => {
      const evaluation = evaluator.evaluate("a", { ...context })
      return evaluation.kind === "evaluated" ? evaluation.value : evaluation.kind
    }
    values.set(name, contexts.map(valueFor))
  }
  return { file: flag, values }
}

/** Users with and without a country; the shares among 300 of them are as wide as the rules'. */
const contexts = Array.from({ length: 300 }, (_, at) => ({
  userId: `u${at}`,
  ...(at % 3 > 0 && { country: at % 3 === 1 ? "DE" : "FR" }),
}))

/** What is said of rules that can never decide. */
const unreachable = ["duplicate-rule", "unreachable-rule"]

const country = { attribute: "country", operator: "equals", value: "DE" }
const share = fc
  .record({ from: fc.constantFrom(0, 20), size: fc.integer({ min: 1, max: 80 }), isText: fc.boolean() })
  .map(({ from, size, isText }) =>
    isText
      ? { attribute: "userId", operator: "percentage", value: String(size) }
      : { share: { by: "userId", ...(from > 0 && { from }), to: from + size } },
  )
const rule = fc
  .oneof(
    fc.record({ condition: fc.constant(country), returnValue: fc.constantFrom("a", "b") }),
    fc.record({ condition: share, returnValue: fc.constantFrom("a", "b") }),
    fc.record({
      condition: share.map((part) => ({ all: [country, part] })),
      returnValue: fc.constantFrom("a", "b"),
    }),
  )
  .map(({ condition, returnValue }) => ({ ...condition, returnValue }))
const configuration = fc.record({
  enabled: fc.boolean(),
  rules: fc.uniqueArray(rule, { maxLength: 3, selector: (made) => JSON.stringify(made).replace(/"\w"/, "") }),
})

/** A flag's content in five layouts. */
const layouts = fc.constantFrom<(content: object) => string>(
  (content) => stringify(content, { aliasDuplicateObjects: false }),
  (content) =>
    stringify(content, { aliasDuplicateObjects: false, indentSeq: false }).replaceAll("\n", "\r\n"),
  (content) => stringify(content, { aliasDuplicateObjects: false, collectionStyle: "flow" }),
  (content) =>
    stringify(content, { aliasDuplicateObjects: false, indent: 4 }).replaceAll(
      /^( *)(?=- )/gm,
      "$1# above\n$1",
    ),
  (content) =>
    stringify(content, {
      aliasDuplicateObjects: false,
      defaultStringType: "QUOTE_DOUBLE",
      defaultKeyType: "PLAIN",
    })
      .trimEnd()
      .replaceAll(/(enabled: \w+)$/gm, "$1 # beside"),
)

const settings = fc.oneof(
  fc.boolean().map((enabled): Setting => ({ kind: "enabled", enabled })),
  fc.constantFrom("a", "b", "rest").map((value): Setting => ({ kind: "everyone", value })),
  fc.record({ percent: fc.integer({ min: 1, max: 100 }), rule: fc.integer({ min: 1, max: 3 }) }).map(
    ({ percent, rule }): Setting => ({
      ...{ kind: "share", percent, rule },
      ...{ by: undefined, newBy: "userId", newValue: undefined, now: 0 },
    }),
  ),
)

type Written = { readonly enabled: boolean; readonly rules: readonly Readonly<Record<string, unknown>>[] }

/** The setting that says what an environment does already, if there is one. */
function opposite(setting: Setting, { enabled, rules }: Written): Setting | undefined {
  if (setting.kind === "enabled" || (setting.kind === "share" && !enabled))
    return { kind: "enabled", enabled }
  return setting.kind === "share"
    ? { ...setting, percent: percentOf(rules[(setting.rule ?? 0) - 1]) }
    : undefined
}

function percentOf(rule: Written["rules"][number] | undefined): number {
  const part = Array.isArray(rule?.all) ? rule.all[1] : rule
  return part?.share === undefined ? Number(part?.value) : part.share.to - (part.share.from ?? 0)
}

/** The environment as the setting means it, made without the text. */
function meant(setting: Setting, { enabled, rules }: Written): Written {
  if (setting.kind === "enabled") return { enabled: setting.enabled, rules }
  if (setting.kind === "everyone")
    return { enabled: true, rules: [{ operator: "always", returnValue: setting.value }] }
  const resized = (part: Written["rules"][number]) => {
    const { share } = part as { share?: { from?: number } }
    if (share === undefined) return { ...part, value: String(setting.percent) }
    return { ...part, share: { ...share, to: (share.from ?? 0) + (setting.percent ?? 0) } }
  }
  const changed = rules.map((rule, at) => {
    if (at !== (setting.rule ?? 0) - 1) return rule
    return Array.isArray(rule.all) ? { ...rule, all: [rule.all[0], resized(rule.all[1])] } : resized(rule)
  })
  return { enabled: enabled || setting.kind === "share", rules: changed }
}

test("a setting is true afterwards, nothing else changes, and it can be taken back", async () => {
  const counts = { edited: 0, same: 0, refused: 0, layout: 0 }
  const cases = fc.record({
    staging: configuration,
    production: configuration,
    layout: layouts,
    setting: settings,
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ staging, production, layout, setting }) => {
      const textWith = (live: Written) =>
        layout({ type: "string", defaultValue: "rest", environments: { staging, production: live } })
      const before = await open(textWith(production))
      const edit = setConfigurations(before.file, ["production"], setting)
      counts[edit.kind]++
      if (edit.kind === "refused") return
      const wanted = await open(textWith(meant(setting, production)))
      const after = edit.kind === "edited" ? await open(edit.source.text) : before
      expect(after.values).toEqual(wanted.values)
      const back = opposite(setting, production)
      if (edit.kind !== "edited" || back === undefined) return
      const restored = setConfigurations(after.file, ["production"], back)
      expect(restored.kind).toBe("edited")
      if (restored.kind === "edited") expect((await open(restored.source.text)).values).toEqual(before.values)
    }),
    { numRuns: runs(200) },
  )
  expect(counts.layout).toBe(0)
  expect(counts.edited).toBeGreaterThan(counts.refused / 3)
})
