// @module-tag slow
import fc from "fast-check"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { timelessEntry } from "../../../cli/flag/sent-flag.ts"
import { memoryFiles } from "../../../cli/project/files.ts"
import { openProject } from "../../../cli/project/open-project.ts"
import { compileEntries } from "../../../sdk/evaluation/compile-entries.ts"
import { createProjectRepository } from "../../repository.ts"
import { notations } from "../yaml-notations.ts"

// Any history in a real repository against opening and evaluating all files of every commit on the first-parent line. Flags and
// segments are added, removed, moved, renamed, broken and ignored, in any notation; some commits are merges.

type Files = Readonly<Record<string, string>>
type Edit = (files: Files) => Files

const flagPaths = ["a.yaml", "x/a.yaml", "b.yaml", "d.yaml", "d.yaml"]
const segmentPaths = ["s.segment.yaml", "x/s.segment.yaml", "t.segment.yaml", "old/t.segment.yaml"]
const broken = "broken: [\n"
const context = { q: "1" }

const condition = (inner: readonly string[]) =>
  fc.constantFrom(
    ...["q", "r"].map((attribute) => `attribute: ${attribute}, operator: exists`),
    ...inner.flatMap((reference) => [reference, `none: [{ ${reference} }]`]),
  )
const segmentOf = (path: string) =>
  condition(path.includes("t.segment") ? ["segment: s"] : []).map((text) => `{ ${text} }\n`)
const flagOf = (path: string) =>
  fc
    .record({
      text: condition(
        path.endsWith("a.yaml") ? ["segment: s", "segment: t", "flag: b, is: true"] : ["segment: s"],
      ),
      enabled: fc.boolean(),
      defaultValue: fc.boolean(),
      key: path === "d.yaml" ? fc.constantFrom("a", "a", "b") : fc.constant(undefined),
    })
    .map(
      ({ text, enabled, defaultValue, key }) =>
        `${key === undefined ? "" : `key: ${key}\n`}defaultValue: ${defaultValue}\nenvironments:\n  production:\n    enabled: ${enabled}\n    rules: [{ ${text}, returnValue: ${!defaultValue} }]\n`,
    )
const projectOf = fc
  .constantFrom(
    "[production]",
    "[staging, production]",
    "[production]\nignore: [old/**]",
    "[production]\nignore: [x/**]",
  )
  .map((environments) => `project: shop\nenvironments: ${environments}\n`)

const writing =
  (path: string, text: string): Edit =>
  (files) => ({ ...files, [path]: text })
const without =
  (path: string): Edit =>
  ({ [path]: _, ...files }) =>
    files
const moving =
  (from: string, to: string): Edit =>
  (files) =>
    files[from] === undefined ? files : writing(to, files[from])(without(from)(files))

const inAnyNotation = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, notations).map(([text, write]) => write(parse(text)))

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...flagPaths)
      .chain((path) => inAnyNotation(flagOf(path)).map((text) => writing(path, text))),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(...segmentPaths)
      .chain((path) => inAnyNotation(segmentOf(path)).map((text) => writing(path, text))),
  },
  ...[flagPaths, segmentPaths].map((paths) =>
    fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...paths)).map(([from, to]) => moving(from, to)),
  ),
  fc.constantFrom(...flagPaths, ...segmentPaths).map(without),
  fc.constantFrom(...flagPaths, ...segmentPaths).map((path) => writing(path, broken)),
  projectOf.map((text) => writing("project.yaml", text)),
)

const start: Files = {
  "project.yaml": "project: shop\nenvironments: [production]\n",
  "s.segment.yaml": "{ attribute: q, operator: exists }\n",
  "t.segment.yaml": "{ segment: s }\n",
  "b.yaml": "defaultValue: false\nenvironments: { production: { enabled: true } }\n",
}

/** What the flag `a` gives; "absent" without it, "broken" if the files have mistakes. */
async function valueIn(files: Files): Promise<unknown> {
  const report = createReport()
  const sources = Object.entries(files).map(([path, text]) => ({ path: `/p/${path}`, text }))
  const { flags } = await openProject(
    memoryFiles(
      "/p",
      sources.sort((a, b) => (a.path < b.path ? -1 : 1)),
    ),
    report,
  )
  if (report.hasErrors) return "broken"
  const entries = flags.map((flag) => timelessEntry(flag, "production"))
  const evaluation = (await compileEntries(entries)).evaluate("a", context)
  return evaluation.kind === "evaluated" ? evaluation.value : "absent"
}

const steps = fc.array(
  fc.record({ edits: fc.array(edit, { minLength: 1, maxLength: 3 }), isMerged: fc.boolean() }),
  { minLength: 3, maxLength: 8 },
)

test("any history agrees with an evaluation at every commit", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { git, write, remove, commit, flagstone } = createProjectRepository()
      const save = (from: Files, to: Files) => {
        for (const path of Object.keys(from)) if (to[path] === undefined) remove(`flags/${path}`)
        for (const [path, text] of Object.entries(to)) if (from[path] !== text) write(`flags/${path}`, text)
      }
      save({}, start)
      const values = [{ revision: commit(0), value: await valueIn(start) }]
      let files = start
      for (const [at, { edits, isMerged }] of steps.entries()) {
        const next = edits.reduce((all, one) => one(all), files)
        if (isMerged) git("switch", "-q", "-c", `branch-${at}`)
        save(files, next)
        if (isMerged) {
          commit(at * 10 + 5)
          git("switch", "-q", "main")
          git("merge", "-q", "--no-ff", "--no-commit", `branch-${at}`)
        }
        files = next
        values.push({ revision: commit(at * 10 + 10), value: await valueIn(files) })
      }
      const args = [
        "evaluate",
        "a",
        "--history",
        "--environment",
        "production",
        "--context",
        JSON.stringify(context),
      ]
      const { out } = await flagstone([...args, "--format", "json"])
      const changes = new Map(
        out
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line))
          .map(({ revision, value, cause }) => [
            revision,
            cause === "broken" ? "broken" : (value ?? "absent"),
          ]),
      )
      let said: unknown = "absent"
      for (const { revision, value } of values) {
        const change = changes.get(revision)
        if (change === "broken") expect(value).toBe("broken")
        else if (change !== undefined) {
          expect(change).not.toBe(said)
          said = change
        }
        if (value !== "broken") expect(said).toBe(value)
      }
    }),
    { numRuns: 20 },
  )
})
