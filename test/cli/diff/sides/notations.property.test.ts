// @module-tag property
import fc from "fast-check"
import { beforeAll, expect, test } from "vitest"
import { createReport } from "../../../../cli/diagnostics/diagnostic.ts"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import { judgeLane } from "../../../../cli/diff/lane/judge.ts"
import { openSides } from "../../../../cli/diff/sides/open-sides.ts"
import { readWorkTree } from "../../../../cli/evaluate/read-work-tree.ts"
import { keyOf, mayAskForFlags } from "../../../../cli/flag/other-flags.ts"
import { memoryFiles } from "../../../../cli/project/files.ts"
import { isFlagSource } from "../../../../cli/reading/files/file-names.ts"
import type { Json } from "../../../../sdk/contract/snapshot.ts"
import { loadExpressions } from "../../../../sdk/evaluation/expression.ts"
import { runs } from "../../../runs.ts"
import { type Notation, notations } from "../../yaml-notations.ts"
import { diffOf } from "../sides.ts"

// A file that an edit leaves as it is depends on what was edited, however YAML lets it say so.

const compileExpression = await loadExpressions()

type Files = Readonly<Record<string, Json>>

const flag = (...rules: readonly Json[]): { readonly [name: string]: Json } => ({
  defaultValue: false,
  environments: { production: { enabled: true, rules } },
})
const when = (condition: { readonly [name: string]: Json }) => flag({ ...condition, returnValue: true })
const pro = { attribute: "plan", operator: "equals", value: "pro" }
const list = "it's a list.txt"
const files: Files = {
  "asked.yaml": { key: "real-key", ...when(pro) },
  "asks.yaml": when({ none: [{ flag: "real-key" }] }),
  "through.yaml": when({ all: [{ flag: "asks" }, pro] }),
  "limits.yaml": { type: "json", schema: "limits v1.json", defaultValue: { most: 1 } },
  "segmented.yaml": when({ segment: "outer" }),
  "outer.segment.yaml": { any: [{ segment: "inner" }, pro] },
  "inner.segment.yaml": { attribute: "id", operator: "in", value: { file: list } },
  "guarded.yaml": { key: "guarded-key", ...when({ attribute: "x", operator: "exists" }) },
  "invariants.yaml": [
    { name: "Never two", never: { all: [{ flag: "guarded-key" }, { flag: "other-key" }] } },
  ],
  "other.yaml": { key: "other-key", ...when({ attribute: "x", operator: "notExists" }) },
  "named.yaml": { id: "flag-id", ...when(pro) },
}
const data = { [list]: "c-1\nc-2\n", "limits v1.json": '{ "type": "object" }' }

const enabled = (file: Json | undefined, isEnabled: boolean): Json => ({
  ...(file as Record<string, Json>),
  environments: { production: { enabled: isEnabled, rules: [{ ...pro, returnValue: true }] } },
})

/** Each edit of one file: its path, and its new text or value. */
const edits: Readonly<Record<string, readonly [path: string, to: Json]>> = {
  "a flag is switched off that others ask for": ["asked.yaml", enabled(files["asked.yaml"], false)],
  "a flag that others ask for gets another key": ["asked.yaml", { ...when(pro), key: "new-key" }],
  "a list": [list, "c-1\nc-3\n"],
  "a segment in a segment": ["inner.segment.yaml", pro],
  "a schema that no longer fits": ["limits v1.json", '{ "type": "string" }'],
  "a flag that breaks an invariant": [
    "other.yaml",
    { key: "other-key", ...when({ attribute: "x", operator: "exists" }) },
  ],
  "an invariant": ["invariants.yaml", [{ name: "None", never: { flag: "guarded-key" } }]],
  "a flag with a key that is taken": ["second.yaml", { key: "real-key", defaultValue: false }],
  "a flag with an id that is taken": ["second.yaml", { id: "flag-id", defaultValue: false }],
}

const project =
  "project: p\nenvironments: [production]\nfastLane: [{ environments: [production], gives: default }]\n"

const plain: Notation = (value) => JSON.stringify(value)

async function answers(name: string, notation: (path: string) => Notation) {
  const [path, to] = edits[name] ?? []
  if (path === undefined || to === undefined) throw new Error(`no edit ${name}`)
  const textOf = (at: string, value: Json) => (typeof value === "string" ? value : notation(at)(value))
  const texts = (values: Files) =>
    Object.entries(values).map(([at, value]) => ({ path: `/p/${at}`, text: textOf(at, value) }))
  const sources = (values: Files) =>
    memoryFiles(
      "/p",
      [{ path: "/p/project.yaml", text: project }, ...texts(values)].sort((a, b) =>
        a.path < b.path ? -1 : 1,
      ),
    )
  const { before, after } = await openSides(
    sources({ ...data, ...files }),
    sources({ ...data, ...files, [path]: to }),
  )
  const errors = [...before.errors, ...after.errors].map(
    ({ code, location }) => `${code} ${location.source.path}`,
  )
  if (errors.length > 0) return { errors }
  const { changes, warnings } = diffOf(before, after)
  return {
    changes: changes.map((change) => [
      ...[change.kind, "flag" in change ? change.flag : "", change.impact],
      ...change.effects.map(({ who }) => plainPhrase(who)),
    ]),
    warnings: warnings.map(({ code, message }) => `${code} ${message}`),
    lane: plainPhrase(judgeLane(before, after, compileExpression).words),
  }
}

const expected = new Map<string, object>()
beforeAll(async () => {
  for (const name of Object.keys(edits)) expected.set(name, await answers(name, () => plain))
})

test("each edit reaches the files that depend on it", () => {
  expect(Object.fromEntries(expected)).toMatchInlineSnapshot(`
    {
      "a flag is switched off that others ask for": {
        "changes": [
          [
            "rule-edited",
            "asks",
            "behaviour",
            "\`true\` instead of \`false\` for users with \`plan\` \`pro\`",
          ],
          [
            "switched-off",
            "real-key",
            "behaviour",
            "\`false\` instead of \`true\` for users with \`plan\` \`pro\`",
          ],
          [
            "rule-edited",
            "through",
            "behaviour",
            "\`true\` instead of \`false\` for users with \`plan\` \`pro\`",
          ],
        ],
        "lane": "in \`production\`, \`asks\` gives \`true\` instead of \`false\` to the context \`{"plan":"pro"}\`",
        "warnings": [],
      },
      "a flag that breaks an invariant": {
        "changes": [
          [
            "rule-edited",
            "other-key",
            "behaviour",
            "\`true\` instead of \`false\` for users with any \`x\`",
            "\`false\` instead of \`true\` for users without a \`x\`",
          ],
        ],
        "lane": "In \`production\`, \`Never two\` does not hold for the context \`{"x":""}\`: \`guarded-key\` gives \`true\` (rule 1) and \`other-key\` gives \`true\` (rule 1).",
        "warnings": [
          "broken-invariant In \`production\`, \`Never two\` does not hold for the context \`{"x":""}\`: \`guarded-key\` gives \`true\` (rule 1) and \`other-key\` gives \`true\` (rule 1).",
        ],
      },
      "a flag that others ask for gets another key": {
        "errors": [
          "unknown-flag /p/asks.yaml",
        ],
      },
      "a flag with a key that is taken": {
        "errors": [
          "duplicate-key /p/asked.yaml",
        ],
      },
      "a flag with an id that is taken": {
        "errors": [
          "duplicate-id /p/named.yaml",
        ],
      },
      "a list": {
        "changes": [
          [
            "rule-edited",
            "segmented",
            "behaviour",
            "\`true\` instead of \`false\` for users with \`id\` \`c-3\` without \`plan\` \`pro\`",
            "\`false\` instead of \`true\` for users with \`id\` \`c-2\` without \`plan\` \`pro\`",
          ],
        ],
        "lane": "in \`production\`, \`segmented\` gives \`true\` instead of \`false\` to the context \`{"id":"c-3"}\`",
        "warnings": [],
      },
      "a schema that no longer fits": {
        "errors": [
          "wrong-value-type /p/limits.yaml",
        ],
      },
      "a segment in a segment": {
        "changes": [
          [
            "rule-edited",
            "segmented",
            "behaviour",
            "\`false\` instead of \`true\` for users with \`id\` \`c-1\` or \`c-2\` without \`plan\` \`pro\`",
          ],
        ],
        "lane": "in \`production\` users only fall back to the default",
        "warnings": [],
      },
      "an invariant": {
        "changes": [
          [
            "invariant-changed",
            "",
            "none",
          ],
          [
            "invariant-changed",
            "",
            "none",
          ],
        ],
        "lane": "In \`production\`, \`None\` does not hold for the context \`{"x":""}\`: \`guarded-key\` gives \`true\` (rule 1).",
        "warnings": [
          "broken-invariant In \`production\`, \`None\` does not hold for the context \`{"x":""}\`: \`guarded-key\` gives \`true\` (rule 1).",
        ],
      },
    }
  `)
})

test.each(Object.keys(edits))("diff and the lane say the same in all notations of %s", async (name) => {
  await fc.assert(
    fc.asyncProperty(fc.array(notations, { minLength: 12, maxLength: 12 }), async (all) => {
      const paths = [...Object.keys(files), "second.yaml"]
      const notation = (path: string) => all[paths.indexOf(path)] ?? plain
      expect(await answers(name, notation)).toEqual(expected.get(name))
    }),
    { numRuns: runs(60) },
  )
})

/** What `evaluate` evaluates, and which files `usages` opens by which key. */
async function readings(notation: (path: string) => Notation) {
  const texts = Object.entries({ ...data, ...files }).map(([at, value]) => ({
    path: `/p/${at}`,
    text: typeof value === "string" ? value : notation(at)(value),
  }))
  const sources = texts.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const report = createReport()
  const tree = await readWorkTree(
    memoryFiles("/p", [{ path: "/p/project.yaml", text: project }, ...sources]),
    report,
  )
  const flags = sources.filter(({ path }) => isFlagSource(path))
  return {
    errors: report.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code),
    document: tree?.flagSet("production").document,
    keys: flags.map((source) => keyOf(source)),
    asking: flags.filter(mayAskForFlags).map(({ path }) => path),
  }
}

test("evaluate and usages read the same in all notations", async () => {
  const wanted = await readings(() => plain)
  expect(wanted.errors).toEqual([])
  expect(wanted.asking).toEqual(["/p/asks.yaml", "/p/through.yaml"])
  await fc.assert(
    fc.asyncProperty(fc.array(notations, { minLength: 11, maxLength: 11 }), async (all) => {
      const paths = Object.keys(files)
      expect(await readings((path) => all[paths.indexOf(path)] ?? plain)).toEqual(wanted)
    }),
    { numRuns: runs(60) },
  )
})
