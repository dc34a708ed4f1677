// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import type { FlagVersion } from "../../../cli/history/flag-version.ts"
import { createTimeline, type Revision } from "../../../cli/history/timeline.ts"
import { runs } from "../../runs.ts"

const version = fc
  .record({
    key: fc.constantFrom("a", "b"),
    definition: fc.constantFrom("1", "2"),
    defaultValue: fc.constantFrom("3", "4"),
    configurations: fc.uniqueArray(fc.tuple(fc.constantFrom("p", "q"), fc.constantFrom("x", "y")), {
      selector: ([name]) => name,
    }),
  })
  .map(({ configurations, ...rest }): FlagVersion => {
    return { path: "", blob: "", ...rest, configurations: new Map(configurations) }
  })

const revisions = fc.array(
  fc.record({
    at: fc.nat(9),
    changes: fc
      .array(
        fc.tuple(
          fc.constantFrom("a.yaml", "x/a.yaml", "b.yml", "c.yaml"),
          fc.option(version, { nil: undefined }),
        ),
      )
      .map((changes) => new Map(changes)),
  }),
  { maxLength: 12 },
)

/** The flags after each revision, each looked up in the list of all files. */
function statesOf(revisions: readonly Revision[]): readonly ReadonlyMap<string, FlagVersion>[] {
  const files: Record<string, FlagVersion> = {}
  return revisions.map(({ changes }) => {
    for (const [path, version] of changes) {
      if (version === undefined || version === "unreadable") delete files[path]
      else files[path] = version
    }
    const flags = new Map<string, FlagVersion>()
    for (const path of Object.keys(files).sort().reverse())
      flags.set(files[path]?.key ?? "", files[path] as FlagVersion)
    return flags
  })
}

/** The time of the revision that last changed a value. */
function since(revisions: readonly Revision[], values: readonly unknown[]): number | undefined {
  let first = values.length - 1
  while (first > 0 && values[first - 1] === values.at(-1)) first--
  return revisions[first]?.at
}

test("each time is that of the revision that last changed the part, wherever the replay paused", () => {
  fc.assert(
    fc.property(revisions, fc.nat({ max: 8 }), (revisions, pause) => {
      const earlier = createTimeline()
      for (const revision of revisions.slice(0, pause)) earlier.apply(revision)
      const timeline = createTimeline(earlier.state())
      for (const revision of revisions.slice(pause)) timeline.apply(revision)
      const states = statesOf(revisions)
      const expected = [...(states.at(-1)?.keys() ?? [])].map((key) => {
        const versions = states.map((flags) => flags.get(key))
        const life = versions.slice(versions.lastIndexOf(undefined) + 1)
        const configured = new Set(life.flatMap((version) => [...(version?.configurations.keys() ?? [])]))
        // Where the flag did not exist, none of its parts did.
        return {
          key,
          createdAt: since(
            revisions,
            versions.map((version) => (version === undefined ? undefined : "there")),
          ),
          updatedAt: since(
            revisions,
            versions.map((version) => version?.definition),
          ),
          defaultAt: since(
            revisions,
            versions.map((version) => version?.defaultValue),
          ),
          configurations: [...configured].sort().map((name) => [
            name,
            since(
              revisions,
              versions.map((version) => version?.configurations.get(name)),
            ),
          ]),
        }
      })
      const found = [...timeline.state().times].map(([key, { configurations, ...times }]) => ({
        key,
        ...times,
        configurations: [...configurations].sort(),
      }))
      const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)
      expect(found.sort(byKey)).toEqual(expected.sort(byKey))
    }),
    { numRuns: runs(2000) },
  )
})
