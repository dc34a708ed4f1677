// @module-tag slow
import fc from "fast-check"
import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { timelessEntry } from "../../../cli/flag/sent-flag.ts"
import { parseProject } from "../../../cli/reading/project.ts"
import { createRepository, time } from "../../repository.ts"
import { checkFiles } from "../check-files.ts"
import { build } from "./built-times.ts"

// Any history in a real repository against a plain replay, which compiles all files of every commit and compares what SDKs
// would get. References are renamed, moved, broken and repaired, ignored, and changed on branches.

type Files = Readonly<Record<string, string>>
type Edit = (files: Files) => Files

const projectText = "project: shop\nenvironments: [production]\nignore: [old/**]\n"
const project = parseProject({ path: "/p/project.yaml", text: projectText }, "/p", createReport())

const segments = [
  "s.segment.yaml",
  "t.segment.yaml",
  "x/s.segment.yaml",
  "old/s.segment.yaml",
  "x/t.segment.yaml",
]
const flags = ["a.yaml", "b.yaml", "x/c.yaml"]
const broken = "broken: [\n"

const condition = (inner: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(
    ...["q", "r"].map((attribute) => `attribute: ${attribute}, operator: exists`),
    ...inner.flatMap((name) => [`segment: ${name}`, `all: [{ segment: ${name} }]`]),
  )
const flagOf = (text: string) =>
  `defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules: [{ ${text}, returnValue: true }]\n`
const segmentOf = (path: string) =>
  condition(path.includes("t.segment") ? ["s"] : []).map((text) => `{ ${text} }\n`)

const without =
  (path: string): Edit =>
  ({ [path]: _, ...files }) =>
    files
const writing =
  (path: string, text: string): Edit =>
  (files) => ({ ...files, [path]: text })
const moving =
  (from: string, to: string): Edit =>
  (files) =>
    files[from] === undefined || files[to] !== undefined
      ? files
      : writing(to, files[from])(without(from)(files))

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...segments)
      .chain((path) => segmentOf(path).map((text) => writing(path, text))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...flags), condition(["s", "t"]))
      .map(([path, text]) => writing(path, flagOf(text))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...segments), fc.constantFrom(...segments))
      .map(([from, to]) => moving(from, to)),
  },
  fc.constantFrom(...segments, ...flags).map(without),
  fc
    .constantFrom(...segments)
    .map((path) => (files: Files) => (files[path] === undefined ? files : { ...files, [path]: broken })),
)

const steps = fc.array(
  fc.record({ edits: fc.array(edit, { minLength: 1, maxLength: 3 }), isMerged: fc.boolean() }),
  { minLength: 2, maxLength: 6 },
)

const start: Files = {
  "s.segment.yaml": "{ attribute: q, operator: exists }\n",
  "t.segment.yaml": "{ segment: s }\n",
  "a.yaml": flagOf("segment: s"),
  "b.yaml": flagOf("all: [{ segment: t }]"),
  "x/c.yaml": flagOf("attribute: q, operator: exists"),
}

/** What SDKs get for each flag; `undefined` if the files have mistakes. */
function meaningsOf(files: Files): ReadonlyMap<string, string> | undefined {
  if (project === undefined) throw new Error("the project has mistakes")
  const report = createReport()
  const sources = Object.entries(files)
    .filter(([path]) => !path.startsWith("old/"))
    .map(([path, text]) => ({ path: `/p/${path}`, text }))
  const { flags } = checkFiles(sources, project, report)
  if (report.hasErrors) return undefined
  return new Map(
    flags.map((flag) => [flag.key, JSON.stringify(timelessEntry(flag, "production").environment)]),
  )
}

/** The files with the last readable version instead of a broken one. */
const readable = (files: Files, before: Files): Files =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, text === broken ? (before[path] ?? text) : text]),
  )

test("any history of segments in git gives the times that a plain replay gives", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const repository = createRepository()
      const { git, write, remove, commit } = repository
      const save = (from: Files, to: Files) => {
        for (const path of Object.keys(from)) if (to[path] === undefined) remove(`flags/${path}`)
        for (const [path, text] of Object.entries(to)) if (from[path] !== text) write(`flags/${path}`, text)
      }
      write("flags/project.yaml", projectText)
      save({}, start)
      commit(0)
      let [files, read] = [start, start]
      let meanings = meaningsOf(start) ?? new Map()
      let at = 0
      const since = new Map([...meanings.keys()].map((key) => [key, 0]))
      const replay = (next: Files) => {
        const nextRead = readable(next, read)
        const nextMeanings = meaningsOf(nextRead)
        if (nextMeanings === undefined || JSON.stringify(next) === JSON.stringify(files)) return false
        at += 10
        for (const [key, meaning] of nextMeanings) if (meanings.get(key) !== meaning) since.set(key, at)
        ;[files, read, meanings] = [next, nextRead, nextMeanings]
        return true
      }
      for (const { edits, isMerged } of steps) {
        const before = files
        const next = edits.reduce((all, one) => one(all), files)
        if (!replay(next)) continue
        if (!isMerged) save(before, next)
        else {
          git("switch", "-q", "-c", `branch-${at}`)
          save(before, next)
          commit(at - 5)
          git("switch", "-q", "main")
          git("merge", "-q", "--no-ff", "--no-commit", `branch-${at}`)
        }
        commit(at)
      }
      const unmended = files
      if (replay(read)) {
        save(unmended, read)
        commit(at)
      }
      const { status, err, read: readBuilt } = await build(repository.folder)
      expect([status, err]).toEqual([0, ""])
      const found = readBuilt("production.json").flags.map(
        ({ flag, environment }: { flag: { key: string }; environment: { updatedAt: string } }) => [
          flag.key,
          environment.updatedAt,
        ],
      )
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries([...meanings.keys()].map((key) => [key, time(since.get(key) ?? Number.NaN)])),
      )
    }),
    { numRuns: 25 },
  )
})
