import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { findChanges, inOrder, makeChange, wantedOf } from "../../../cli/publish/changes.ts"
import { formatSpan } from "../../../cli/publish/format.ts"
import { inParallel } from "../../../cli/publish/in-parallel.ts"
import { isAddressable } from "../../../cli/publish/layout.ts"
import { createProgress } from "../../../cli/publish/progress.ts"
import { formatIndex, parseIndex } from "../../../cli/publish/revision-index.ts"
import { pauseAfter } from "../../../cli/publish/web.ts"
import { createMemoryTarget } from "../../servers/memory-target.ts"
import { testHost } from "../../test-host.ts"

describe("changes of the API's paths", () => {
  const contents = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom("1", "2", "3"))
  const filesOf = (texts: Readonly<Record<string, string>>) =>
    new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))

  test("lead from whatever lies there to what is wanted, and are none too many", async () => {
    await fc.assert(
      fc.asyncProperty(contents, contents, async (before, after) => {
        const files = filesOf(before)
        const target = createMemoryTarget(files)
        const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])]
        const changes = await findChanges(target, wantedOf(paths, filesOf(after)))
        for (const { path, isThere } of changes) {
          expect(before[path]).not.toBe(after[path])
          expect(isThere).toBe(before[path] !== undefined)
        }
        await inOrder(changes, (change) => makeChange(target, change))
        expect(files).toEqual(filesOf(after))
      }),
    )
  })

  test("come in the order in which readers follow them: flags, lists, what goes away", async () => {
    const paths = ["p/v1/flags", "gone/v1/flags/a", "p/v1/flags/a", "p/v1/flags/v1/flags", "404.json"]
    const files = new Map(
      paths.filter((path) => !path.startsWith("gone")).map((path) => [path, Buffer.of(1)]),
    )
    const made: string[] = []
    const changes = wantedOf(paths, files).map((wanted) => ({ ...wanted, isThere: true }))
    await inOrder(changes, async ({ path }) => void made.push(path))
    expect(made).toEqual(["p/v1/flags/a", "p/v1/flags/v1/flags", "404.json", "p/v1/flags", "gone/v1/flags/a"])
  })
})

describe("in parallel", () => {
  test("results in order, at most eight at a time", async () => {
    let running = 0
    let most = 0
    const results = await inParallel([...Array(40).keys()], async (item) => {
      most = Math.max(most, ++running)
      await new Promise((done) => setImmediate(done))
      running--
      return item * 2
    })
    expect(results).toEqual([...Array(40).keys()].map((item) => item * 2))
    expect(most).toBe(8)
  })
  test("after a failure nothing begins, and all that began has ended", async () => {
    const ended: number[] = []
    const work = inParallel([...Array(100).keys()], async (item) => {
      if (item === 3) throw new Error("third")
      await new Promise((done) => setImmediate(done))
      ended.push(item)
    })
    await expect(work).rejects.toThrow("third")
    expect(ended).toEqual([0, 1, 2, 4, 5, 6, 7])
  })
})

test("pauses grow, differ, and end at ten seconds", () => {
  fc.assert(
    fc.property(
      fc.nat(40),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (tries, random) => {
        const pause = pauseAfter(tries, random)
        expect(pause).toBeGreaterThanOrEqual(0)
        expect(pause).toBeLessThan(10_000)
        expect(pauseAfter(tries + 1, random)).toBeGreaterThanOrEqual(pause)
      },
    ),
  )
})

test.each([
  [-5, "0 s"],
  [59_400, "59 s"],
  [60_000, "1 min 0 s"],
  [3_599_000, "59 min 59 s"],
  [3_600_000, "1 h 0 min"],
  [172_800_000, "2 days"],
])("%d ms are %s", (milliseconds, text) => expect(formatSpan(milliseconds)).toBe(text))

test.each([
  ["a", true],
  ["a/b.c", true],
  ["a..b", true],
  ["a/../b", false],
  ["a/./b", false],
  ["a//b", false],
  ["a/", false],
  ["q?x=1", false],
  ["h#frag", false],
  ["back\\slash", false],
  ["a+b", false],
  ["a%b", false],
  ["a b", false],
])("the flag key %s can end an address: %s", (key, expected) => expect(isAddressable(key)).toBe(expected))

describe("the index", () => {
  const claim = {
    revision: "5f1d",
    publishedAt: "2026-11-21T10:00:00.000Z",
    bases: { a: "a-5f" },
    perFlag: true,
  }
  const index = {
    formatVersion: 1 as const,
    claims: [claim],
    revisions: [{ revision: "5f1d", publishedAt: claim.publishedAt, flags: { a: 1 } }],
  }
  test("reads what it wrote", () => expect(parseIndex(formatIndex(index).toString())).toEqual(index))
  test.each([
    ["another version", { ...index, formatVersion: 2 }, "formatVersion"],
    ["no claims", { ...index, claims: undefined }, "claims"],
    ["a path for a revision", { ...index, claims: [{ ...claim, revision: "../../x" }] }, "claims"],
    ["a path for a base", { ...index, claims: [{ ...claim, bases: { a: "../x" } }] }, "claims"],
    ["no time", { ...index, claims: [{ ...claim, publishedAt: "soon" }] }, "claims"],
    ["a revision that is none", { ...index, revisions: [{}] }, "revisions"],
    ["a list", [], "formatVersion"],
  ])("%s is refused", (_, value, what) =>
    expect(() => parseIndex(JSON.stringify(value))).toThrow(`its ${what}`),
  )
})

test("progress counts the files that are sent", () => {
  let now = 0
  const host = testHost({ isTerminal: { stdout: true, stderr: true }, monotonicNow: () => now })
  const progress = createProgress(2, host)
  progress.step()
  now = 1500
  progress.step()
  progress.end()
  expect(host.err()).toBe("\rfiles sent: 2 of 2\x1b[K\r\x1b[K")
})
