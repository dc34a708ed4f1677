import { expect, test } from "vitest"
import type { DescribedVersion } from "../../../../cli/catalog/history/described-commit.ts"
import { pastOfFlags } from "../../../../cli/catalog/html/past-data.ts"

/** The past of a flag whose commits give these values, which are also the positions of its versions. */
function pastOf(...values: readonly (number | "gone" | "dependent")[]) {
  const commits = values.map((value, at) => {
    const gives: DescribedVersion["gives"] =
      typeof value === "string" ? value : { defaultValue: value, configurations: {} }
    return { id: `${at}`, at, author: "", subject: "", changes: [], versions: [{ flag: "a", gives }] }
  })
  return pastOfFlags(
    commits,
    ({ defaultValue }) => [defaultValue as number],
    ([value]) => value,
  )("a")
}

test.each([
  ["a flag that never changed", [7], [1, 0]],
  ["its versions, newest first", [7, 8, 9], [1, 2, [8, 1], [7, 0]]],
  ["a flag that was removed begins anew", [7, "gone", 9], [1, 2]],
  [
    "one that no longer depends on others has a past that is not known",
    [7, "dependent", 8, 9],
    [0, 3, [8, 2]],
  ],
  ["one that depends on others has none", [7, "dependent"], []],
] as const)("%s", (_, values, past) => expect(pastOf(...values)).toEqual(past))

/** As the page of the catalogue says. */
const mostVersions = 20

test("the versions are bounded, and then the beginning is missing", () => {
  const values = Array.from({ length: mostVersions + 2 }, (_, at) => at)
  expect(pastOf(...values.slice(0, -1))).toHaveLength(mostVersions + 2)
  expect(pastOf(...values.slice(0, -1))[0]).toBe(1)
  expect(pastOf(...values)).toHaveLength(mostVersions + 2)
  expect(pastOf(...values)[0]).toBe(0)
})
