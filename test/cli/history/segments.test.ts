// @module-tag property
// @module-tag system
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type FlagVersion, versionOfFlag } from "../../../cli/history/flag-version.ts"
import { createTimeline, type Revision } from "../../../cli/history/timeline.ts"
import type { Condition } from "../../../cli/language/condition.ts"
import { withSent } from "../../../cli/language/encode-rules.ts"
import { keyOfFile, segmentNameOf } from "../../../cli/reading/files/file-names.ts"
import { createRepository, type TestRepository } from "../../repository.ts"
import { runs } from "../../runs.ts"
import { flagWith, ruleOf } from "../rule.ts"
import { build, configured, project, times, timesOf } from "./built-times.ts"

const using = (condition: string) =>
  configured(`{ enabled: true, rules: [{ ${condition}, returnValue: true }] }`)
const staff = 'attribute: email\noperator: endsWith\nvalue: "@a"\n'
const others = 'attribute: email\noperator: endsWith\nvalue: "@b"\n'

/** A flag `a` that uses a segment, `b` that uses it through another, and `c` that uses none, committed at 10. */
function start(): TestRepository {
  const repository = createRepository()
  repository.write("flags/project.yaml", `${project}ignore: [fixtures/**]\n`)
  repository.write("flags/staff.segment.yaml", staff)
  repository.write(
    "flags/testers.segment.yaml",
    "any: [{ segment: staff }, { attribute: x, operator: exists }]\n",
  )
  repository.write("flags/a.yaml", using("segment: staff"))
  repository.write("flags/b.yaml", using("all: [{ segment: testers }]"))
  repository.write("flags/c.yaml", using('attribute: email, operator: endsWith, value: "@a"'))
  repository.commit(10)
  return repository
}

describe("a commit that changes a segment changes the configurations that use it", () => {
  const moved = times(10, 10, 10, 20)
  const kept = times(10, 10, 10, 10)

  test.each<readonly [string, (repository: TestRepository) => void, readonly (readonly unknown[])[]]>([
    ["a new operand", ({ write }) => write("flags/staff.segment.yaml", others), [moved, moved, kept]],
    [
      "description and layout",
      ({ write }) => write("flags/staff.segment.yaml", `# us\ndescription: Us.\nowner: me\n${staff}`),
      [kept, kept, kept],
    ],
    ["a new folder", ({ move }) => move("flags/staff.segment.yaml", "flags/people.segment.yaml"), []],
    [
      "a merged branch: its time is that of the merge",
      ({ git, write, commit }) => {
        git("switch", "-q", "-c", "branch")
        write("flags/staff.segment.yaml", others)
        commit(13)
        git("switch", "-q", "main")
        write("flags/d.yaml", "defaultValue: false\n")
        commit(15)
        git("merge", "-q", "--no-ff", "--no-commit", "branch")
      },
      [moved, moved, kept],
    ],
    [
      "an ignored file of the same name",
      ({ write }) => write("flags/fixtures/staff.segment.yaml", others),
      [kept, kept, kept],
    ],
  ])("%s", async (name, edit, expected) => {
    const repository = start()
    const found = async () => await Promise.all(["a", "b", "c"].map((key) => timesOf(repository.folder, key)))
    expect(await found()).toEqual([kept, kept, kept])
    edit(repository)
    if (name === "a new folder") {
      repository.move("flags/people.segment.yaml", "flags/people/staff.segment.yaml")
      repository.commit(20)
      expect(await found()).toEqual([kept, kept, kept])
      return
    }
    repository.commit(20)
    expect(await found()).toEqual(expected)
  })

  test("uncommitted, with the time of the newest commit, and a warning", async () => {
    const repository = start()
    repository.write("flags/d.yaml", "defaultValue: false\n")
    repository.commit(20)
    repository.write("flags/staff.segment.yaml", others)
    const { status, err, read } = await build(repository.folder)
    expect(status).toBe(0)
    expect(err).toContain("flags/staff.segment.yaml:1:1 This differs from the newest commit.")
    const { flags } = read("production.json")
    const at = flags.map(({ environment }: { environment?: { updatedAt: string } }) => environment?.updatedAt)
    expect(at.slice(0, 3)).toEqual(times(20, 20, 10))
  })
})

// Any history of segments and flags against a plain replay, which writes out every condition in every revision.

const names = ["s", "t", "u"]
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.record({
      kind: fc.constant("comparison" as const),
      attribute: fc.constantFrom("x", "y"),
      operator: fc.constant("exists"),
      operand: fc.constant(""),
    }),
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("segment" as const),
        name: fc.constantFrom(...names),
        means: fc.constant(undefined),
      }),
    },
    fc.record({
      kind: fc.constantFrom("all" as const, "none" as const),
      parts: fc.array(tie("condition"), { minLength: 1, maxLength: 2 }),
    }),
  ),
}))

/** A file's contents from a revision on; `undefined`: it is removed. */
type Edits<T> = ReadonlyMap<string, T | "unreadable" | undefined>

interface Step {
  readonly flags: Edits<Condition>
  readonly segments: Edits<Condition>
}

function editsOf(...paths: readonly string[]): fc.Arbitrary<Edits<Condition>> {
  const edit = fc.oneof(
    { weight: 8, arbitrary: condition },
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant("unreadable" as const) },
  )
  return fc.array(fc.tuple(fc.constantFrom(...paths), edit), { maxLength: 2 }).map((edits) => new Map(edits))
}

const steps = fc.array(
  fc.record({
    flags: editsOf("a.yaml", "b.yaml"),
    segments: editsOf("s.segment.yaml", "t.segment.yaml", "u.segment.yaml", "x/s.segment.yaml"),
  }),
  { minLength: 1, maxLength: 10 },
)

/** A condition with every segment written out, as JSON; `undefined` if it cannot be read. */
function writtenOut(
  condition: Condition,
  files: ReadonlyMap<string, Condition>,
  within: readonly string[] = [],
): string | undefined {
  if ("attribute" in condition) return condition.attribute
  if ("parts" in condition) {
    const parts = condition.parts.map((part) => writtenOut(part, files, within))
    return parts.includes(undefined) ? undefined : JSON.stringify([condition.kind, ...parts])
  }
  if (condition.kind !== "segment") throw new Error("only comparisons, groups and segments are made")
  const { name } = condition
  const stands = files.get(`${name}.segment.yaml`) ?? files.get(`x/${name}.segment.yaml`)
  if (stands === undefined || within.includes(name)) return undefined
  return writtenOut(stands, files, [...within, name])
}

/** A rule as SDKs get it: of an unreadable one they get the operator. */
function sentOf(condition: Condition, files: ReadonlyMap<string, Condition>): string {
  return writtenOut(condition, files) ?? `unreadable ${"parts" in condition ? condition.kind : "any"}`
}

/** By flag, the revision that last changed its configuration. */
function replay(steps: readonly Step[]): ReadonlyMap<string, number> {
  const [flags, segments] = [new Map<string, Condition>(), new Map<string, Condition>()]
  let before = new Map<string, string>()
  const since = new Map<string, number>()
  for (const [index, step] of steps.entries()) {
    for (const [files, edits] of [
      [flags, step.flags],
      [segments, step.segments],
    ] as const) {
      const moved = new Map(files)
      for (const [path, edit] of edits)
        if (edit === undefined) files.delete(path)
        else if (edit !== "unreadable") files.set(path, edit)
      for (const [path, edit] of edits) {
        const [other = ""] =
          [...edits].find(([from, gone]) => gone === undefined && nameOf(from) === nameOf(path)) ?? []
        const condition = moved.get(path) ?? moved.get(other)
        if (edit === "unreadable" && condition !== undefined) files.set(path, condition)
      }
    }
    const after = new Map([...flags].map(([path, condition]) => [path, sentOf(condition, segments)]))
    for (const [path, sent] of after) if (before.get(path) !== sent) since.set(path, index)
    before = after
  }
  return new Map([...before.keys()].map((path) => [keyOfFile(path), since.get(path) ?? Number.NaN]))
}

function nameOf(path: string): string {
  return path.replace("x/", "")
}

function versionOf(path: string, condition: Condition): FlagVersion {
  const key = keyOfFile(path)
  const flag = flagWith({ key, defaultValue: false }, "p", { enabled: true, rules: [] })
  const rules = withSent([{ ...ruleOf(sentAlways), condition }], key)
  const configurations = [...flag.configurations].map(([name, own]) => [name, { ...own, rules }] as const)
  return versionOfFlag({ ...flag, configurations: new Map(configurations) }, path, "")
}

const sentAlways = { id: "", attribute: "", operator: "always", value: "", returnValue: true }

function revisionOf({ flags, segments }: Step, at: number): Revision {
  const versionsOf = <T>(edits: Edits<Condition>, make: (path: string, condition: Condition) => T) =>
    new Map(
      [...edits].map(([path, edit]) => [
        path,
        edit === undefined || edit === "unreadable" ? edit : make(path, edit),
      ]),
    )
  return {
    at,
    changes: versionsOf(flags, versionOf),
    segments: versionsOf(segments, (path, condition) => ({ name: segmentNameOf(path), condition })),
  }
}

test("any history of segments gives the times that a plain replay gives, wherever the replay paused", () => {
  fc.assert(
    fc.property(steps, fc.nat(9), (steps, pause) => {
      const revisions = steps.map(revisionOf)
      const earlier = createTimeline()
      for (const revision of revisions.slice(0, pause)) earlier.apply(revision)
      const timeline = createTimeline(earlier.state())
      for (const revision of revisions.slice(pause)) timeline.apply(revision)
      const found = [...timeline.state().times].map(([key, { configurations }]) => [
        key,
        configurations.get("p"),
      ])
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(replay(steps)))
    }),
    { numRuns: runs(400) },
  )
})
