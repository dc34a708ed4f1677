import fc from "fast-check"
import { expect, test } from "vitest"
import { createTimeline, type Moment } from "../../../../cli/compile/history/timeline.ts"
import { parseLog } from "../../../../cli/compile/history/walk.ts"
import type { Version } from "../../../../cli/compile/meaning/compiled-flag.ts"

const version = fc
  .record({
    key: fc.constantFrom("a", "b"),
    definition: fc.constantFrom("1", "2"),
    configurations: fc.uniqueArray(fc.tuple(fc.constantFrom("p", "q"), fc.constantFrom("x", "y")), {
      selector: ([name]) => name,
    }),
  })
  .map(({ configurations, ...rest }): Version => ({ ...rest, configurations: new Map(configurations) }))

const moments = fc.array(
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

/** The flags after each moment, each looked up anew in the list of all files. */
function statesOf(moments: readonly Moment[]): readonly ReadonlyMap<string, Version>[] {
  const files: Record<string, Version> = {}
  return moments.map(({ changes }) => {
    for (const [path, version] of changes) {
      if (version === undefined || version === "unreadable") delete files[path]
      else files[path] = version
    }
    const flags = new Map<string, Version>()
    for (const path of Object.keys(files).sort().reverse())
      flags.set(files[path]?.key ?? "", files[path] as Version)
    return flags
  })
}

/** The time of the first of the last moments over which `part` has been what it is at the end. */
function since(moments: readonly Moment[], values: readonly (string | undefined)[]): number | undefined {
  let first = values.length - 1
  while (first > 0 && values[first - 1] === values.at(-1)) first--
  return moments[first]?.at
}

test("each time is that of the moment since which the thing has been as it is, wherever the replay paused", () => {
  fc.assert(
    fc.property(moments, fc.nat({ max: 8 }), (moments, pause) => {
      const earlier = createTimeline()
      for (const moment of moments.slice(0, pause)) earlier.apply(moment)
      const timeline = createTimeline(earlier.standing)
      for (const moment of moments.slice(pause)) timeline.apply(moment)
      const states = statesOf(moments)
      const expected = [...(states.at(-1) ?? [])].map(([key, last]) => {
        const versions = states.map((flags) => flags.get(key))
        // Where the flag was not there, nothing of it was.
        return {
          key,
          createdAt: since(
            moments,
            versions.map((version) => (version === undefined ? undefined : "there")),
          ),
          updatedAt: since(
            moments,
            versions.map((version) => version?.definition),
          ),
          configurations: [...last.configurations.keys()].map((name) => [
            name,
            since(
              moments,
              versions.map((version) => version?.configurations.get(name)),
            ),
          ]),
        }
      })
      const found = [...timeline.standing.lives].map(([key, { createdAt, updatedAt, configurations }]) => ({
        key,
        createdAt,
        updatedAt,
        configurations: [...configurations],
      }))
      const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)
      expect(found.sort(byKey)).toEqual(expected.sort(byKey))
    }),
    { numRuns: 2000 },
  )
})

test("git's log is read field by field, whatever the paths are", () => {
  const id = "a".repeat(40)
  const none = "0".repeat(40)
  const odd = ":100644 100644 x"
  const text =
    `${id} 1700000000 ${"b".repeat(40)} ${"c".repeat(40)}\0\n:000000 100644 ${none} ${id} A\0flags/${odd}\0` +
    `:100644 120000 ${id} ${none} T\0flags/ä\n.yaml\0${"b".repeat(40)} 5 \0\n:100755 000000 ${id} ${none} D\0flags/c\0`
  expect(parseLog(text, "flags/")).toEqual([
    {
      id,
      at: 1_700_000_000,
      parent: "b".repeat(40),
      changes: new Map([
        [odd, { before: undefined, after: id }],
        ["ä\n.yaml", { before: id, after: undefined }],
      ]),
    },
    {
      id: "b".repeat(40),
      at: 5,
      parent: undefined,
      changes: new Map([["c", { before: id, after: undefined }]]),
    },
  ])
})
