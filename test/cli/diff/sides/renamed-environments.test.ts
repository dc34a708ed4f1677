import { expect, test } from "vitest"
import { renamedEnvironments } from "../../../../cli/diff/sides/renamed-environments.ts"
import { sideOf } from "../sides.ts"

/** An environment: its name, what the flag gives in it, and whether it is protected. */
type Environment = readonly [name: string, gives?: string, isGuarded?: boolean, id?: string]

function sideWith(environments: readonly Environment[]) {
  const configured = environments.flatMap(([name, gives]) =>
    gives === undefined
      ? []
      : [[name, { enabled: true, rules: [{ operator: "always", returnValue: gives }] }]],
  )
  const project = {
    project: "shop",
    environments: environments.map(([name, , , id]) => (id === undefined ? name : { name, id })),
    protected: environments.flatMap(([name, , isGuarded]) => (isGuarded ? name : [])),
  }
  const flag = { type: "string", defaultValue: "", environments: Object.fromEntries(configured) }
  return sideOf({ f: flag }, JSON.stringify(project))
}

test.each<readonly [string, readonly Environment[], readonly Environment[], object]>([
  [
    "by id, even if others have its configurations",
    [
      ["a", "1", false, "x"],
      ["b", "2"],
    ],
    [
      ["c", "1"],
      ["d", "2", false, "x"],
    ],
    { d: "a", c: "b" },
  ],
  [
    "not by place in a list of a different length",
    [
      ["a", "1"],
      ["b", "2"],
    ],
    [
      ["c", "3"],
      ["d", "4"],
      ["e", "5"],
    ],
    {},
  ],
])("%s", (_, before, after, expected) => {
  expect(Object.fromEntries(renamedEnvironments(sideWith(before), sideWith(after)))).toEqual(expected)
})
