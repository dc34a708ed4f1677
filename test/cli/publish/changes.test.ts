import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { findChanges, inOrder, makeChange, wantedOf } from "../../../cli/publish/changes.ts"
import { createMemoryTarget } from "../../servers/memory-target.ts"

describe("changes of the API's paths", () => {
  const contents = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom("1", "2", "3"))
  const filesOf = (texts: Readonly<Record<string, string>>) =>
    new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]))

  test("lead from whatever is there to what is wanted, without a needless change", async () => {
    await fc.assert(
      fc.asyncProperty(contents, contents, async (before, after) => {
        const files = filesOf(before)
        const target = createMemoryTarget(files)
        const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])]
        const changes = await findChanges(target, wantedOf(paths, filesOf(after)))
        for (const { path, stored } of changes) {
          expect(before[path]).not.toBe(after[path])
          expect(stored?.bytes.toString()).toBe(before[path])
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
    const changes = wantedOf(paths, files).map((wanted) => ({ ...wanted, stored: undefined }))
    await inOrder(changes, async ({ path }) => void made.push(path))
    expect(made).toEqual(["p/v1/flags/a", "p/v1/flags/v1/flags", "404.json", "p/v1/flags", "gone/v1/flags/a"])
  })
})
