// @module-tag system
// @module-tag slow
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv } from "ajv"
import { describe, expect, test } from "vitest"
import { checkFlag } from "../../../cli/checks/checks.ts"
import { runDiff } from "../../../cli/commands/diff.ts"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import type { Side } from "../../../cli/diff/sides/side.ts"
import { sentConfiguration, timelessEntry } from "../../../cli/flag/sent-flag.ts"
import { createGit } from "../../../cli/git.ts"
import { readBlobs } from "../../../cli/history/blobs.ts"
import type { Flag } from "../../../cli/language/flag.ts"
import { type Project, parseProject } from "../../../cli/reading/project.ts"
import { createFlagReader } from "../../../cli/reading/read-flag.ts"
import { parseSource } from "../../../cli/yaml/parse.ts"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { checkOutCorpus, hasCorpora } from "../../corpora.ts"
import { testHost } from "../../test-host.ts"
import { applyDiff, type Documents } from "./apply.ts"
import { diffOf, documentsOf } from "./sides.ts"

// Commits of the first-parent line are compared with the one compared before. Each version of a file is compiled once.

const schemaFile = new URL("../../../cli/diff/diff.schema.json", import.meta.url)
const validate = new Ajv({ strict: true }).compile(JSON.parse(readFileSync(schemaFile, "utf8")))

interface Commit {
  readonly id: string
  /** Object ids by path; `null`: removed. */
  readonly edits: ReadonlyMap<string, string | null>
}

function firstParentLine(repository: string): readonly Commit[] {
  const args =
    "log --reverse --first-parent -m --raw -z --no-abbrev --no-renames --root --format=%x01%H flags".split(
      " ",
    )
  const text = execFileSync("git", args, { cwd: repository, maxBuffer: 2 ** 30, encoding: "utf8" })
  return text
    .split("\u0001")
    .slice(1)
    .map((block) => {
      const [id = "", ...fields] = block.split("\0").map((field) => field.trim())
      const edits = new Map<string, string | null>()
      for (
        let at = fields.findIndex((field) => field.startsWith(":"));
        at >= 0 && at + 1 < fields.length;
        at += 2
      ) {
        const [, , , blob = "", status] = fields[at]?.split(" ") ?? []
        const path = fields[at + 1] ?? ""
        if (path !== "") edits.set(path, status === "D" ? null : blob)
      }
      return { id, edits }
    })
}

async function* sidesOf(repository: string, commits: readonly Commit[]): AsyncGenerator<Side> {
  const wanted = [...new Set(commits.flatMap(({ edits }) => [...edits.values()].filter((id) => id !== null)))]
  const texts = new Map<string, string>()
  await readBlobs(createGit(process.env), repository, wanted, (id, bytes) =>
    texts.set(id, bytes.toString("utf8")),
  )
  let project: Project | undefined
  let validateFile: ReturnType<typeof createFlagReader> | undefined
  let files = new Map<string, Flag>()
  const versions = new Map<string, Flag>()
  for (const { edits } of commits) {
    const projectEdit = edits.get("flags/project.yaml")
    if (typeof projectEdit === "string") {
      const report = createReport()
      const source = { path: join(repository, "flags/project.yaml"), text: texts.get(projectEdit) ?? "" }
      project = parseProject(source, join(repository, "flags"), report)
      validateFile = project && createFlagReader(project)
      versions.clear()
    }
    if (project === undefined || validateFile === undefined)
      throw new Error("the corpus begins without a project")
    const fresh = [...edits].flatMap(([path, id]) =>
      id === null || path === "flags/project.yaml" || versions.has(`${path} ${id}`) ? [] : [{ path, id }],
    )
    const report = createReport()
    const sources = fresh.map(({ path, id }) => ({ path: join(repository, path), text: texts.get(id) ?? "" }))
    const ids = new Map(sources.map((source, at) => [source.path, fresh[at]]))
    const validate = validateFile
    const read = sources.flatMap((source) => {
      const file = parseSource(source, report)
      return (file && validate(file, report)) ?? []
    })
    for (const flag of read) checkFlag(flag, project, report)
    for (const flag of read) {
      const version = ids.get(flag.source.path)
      versions.set(`${version?.path} ${version?.id}`, flag)
    }
    expect(report.diagnostics).toEqual([])
    files = new Map(files)
    for (const [path, id] of edits) {
      const flag = versions.get(`${path} ${id}`)
      if (flag === undefined) files.delete(path)
      else files.set(path, flag)
    }
    yield { project, flags: [...files.values()] }
  }
}

describe.runIf(hasCorpora)("edits from public repositories", () => {
  test.each([
    ["vets", 1, 1_000],
    ["android", 3, 800],
  ] as const)(
    "%s, in steps of %i commits",
    async (name, step, atLeast) => {
      const repository = checkOutCorpus(name)
      const commits = firstParentLine(repository)
      expect(commits.length).toBeGreaterThan(atLeast)
      let before: Side = { project: undefined, flags: [] }
      let documentsBefore: Documents = {}
      let at = -1
      for await (const after of sidesOf(repository, commits)) {
        at++
        if (at % step !== 0) continue
        const documentsAfter = sharedDocumentsOf(after)
        const { json } = diffOf(before, after)
        expectSame(applyDiff(documentsBefore, json), documentsAfter)
        if (at > 0 && at % (100 * step) === 0) {
          expect(documentsOf(after)).toEqual(documentsAfter)
          expect(diffOf(after, after).changes).toEqual([])
          const host = testHost({ cwd: repository })
          const [base, head] = [commits[at - step]?.id, commits[at]?.id]
          expect(await runDiff(base, head, { flags: "flags", format: "json" }, host)).toBe(0)
          expect(validate(JSON.parse(host.out()))).toBe(true)
          // The command compiles only what differs, and sees the same.
          expect(JSON.parse(host.out()).changes).toEqual(atFiles(JSON.parse(json).changes, repository))
        }
        before = after
        documentsBefore = documentsAfter
      }
      expect(at).toBe(commits.length - 1)
    },
    240_000,
  )
})

/** The snapshots without times, made of the flags' own objects: unchanged parts are identical. */
function sharedDocumentsOf({ project, flags }: Side): Documents {
  const sorted = flags.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return Object.fromEntries(
    (project?.environments ?? []).map(({ name }) => [
      name,
      {
        flags: sorted.flatMap((flag) => entriesOf(flag, project).get(name) ?? []),
      },
    ]),
  )
}

const entries = new WeakMap<Flag, ReadonlyMap<string, FlagEntry>>()

function entriesOf(flag: Flag, project: Side["project"]): ReadonlyMap<string, FlagEntry> {
  const known = entries.get(flag)
  if (known !== undefined) return known
  const made = new Map(
    project?.environments.map(({ name }) => {
      const { createdAt: _, updatedAt: __, ...own } = timelessEntry(flag, name).flag
      const configuration = flag.configurations.get(name)
      return [name, { flag: own, environment: configuration ? sentConfiguration(configuration) : null }]
    }),
  ) as unknown as ReadonlyMap<string, FlagEntry>
  entries.set(flag, made)
  return made
}

/** Deep equality that treats identical objects as equal: there are ten million entries to compare. */
function expectSame(actual: Documents, expected: Documents): void {
  const differing = (one: Documents, other: Documents) =>
    Object.entries(one).map(([environment, { flags }]) => [
      environment,
      flags.length,
      flags.filter((entry, at) => {
        const [flag, configuration] = [
          other[environment]?.flags[at]?.flag,
          other[environment]?.flags[at]?.environment,
        ]
        return entry.flag !== flag || entry.environment !== configuration
      }),
    ])
  expect(differing(actual, expected)).toEqual(differing(expected, actual))
}

/** Paths as the command prints them: relative to the folder it runs in, not to the root. */
function atFiles(changes: readonly { readonly file: string }[], repository: string) {
  return changes.map((change) => ({ ...change, file: change.file.slice(repository.length) }))
}
