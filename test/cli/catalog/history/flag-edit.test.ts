import { expect, test } from "vitest"
import { createChangesBetween } from "../../../../cli/catalog/history/changes-between.ts"
import { createEditReader } from "../../../../cli/catalog/history/flag-edit.ts"
import { shareEdit } from "../../../../cli/catalog/history/shared-edit.ts"
import { type KeptVersion, keepVersion } from "../../../../cli/catalog/versions/kept-version.ts"
import { writeFlag } from "../../../../cli/compile/meaning/compiled-flag.ts"
import { plainPhrase } from "../../../../cli/phrases/phrase.ts"
import { scope } from "../../conditions/world.ts"
import { sideOf } from "../../diff/sides.ts"

const rules = (...all: readonly object[]) => ({ enabled: true, rules: all })
const share = (value: string, more: object = {}) => {
  return { attribute: "userId", operator: "percentage", value, returnValue: true, ...more }
}
const german = { attribute: "country", operator: "equals", value: "DE", returnValue: true }

function version(key: string, environments: object, more: object = {}): KeptVersion {
  const [flag] = sideOf({ [key]: { defaultValue: false, environments, ...more } }).flags
  if (flag === undefined) throw new Error("the side has a flag")
  return keepVersion(flag, writeFlag(flag))
}

type Sides = readonly [before: KeptVersion | undefined, after: KeptVersion]

const live = (key: string, before: object, after: object, more: object = {}): Sides => {
  return [version(key, { production: before }, more), version(key, { production: after }, more)]
}
const usual = live("a", rules(share("5")), rules(share("10")))

/** The names of both edits, read by one reader: of themselves, and of what is compared for them. */
function namesOf(...all: readonly [Sides, Sides]) {
  const read = createEditReader()
  return all.map((sides) => {
    const edit = read(...sides)
    return edit && { own: edit.name, shared: shareEdit(edit).name }
  })
}

test.each<readonly [string, Sides, Sides]>([
  ["of another flag", usual, live("b", rules(share("5")), rules(share("10")))],
  ["with another description", usual, live("b", rules(share("5")), rules(share("10")), { description: "b" })],
])("an edit %s has the same name", (_, one, other) => {
  const [first, second] = namesOf(one, other)
  expect(second).toEqual(first)
})

test("an edit with other percentages in the same order is compared as one", () => {
  const [first, second] = namesOf(usual, live("b", rules(share("20")), rules(share("50"))))
  expect(second?.own).not.toBe(first?.own)
  expect(second?.shared).toBe(first?.shared)
})

test.each<readonly [string, Sides, Sides]>([
  [
    "in another environment",
    [
      version("a", { staging: rules(share("5")), production: rules(share("5")) }),
      version("a", { staging: rules(share("10")), production: rules(share("5")) }),
    ],
    [
      version("b", { staging: rules(share("5")), production: rules(share("5")) }),
      version("b", { staging: rules(share("5")), production: rules(share("10")) }),
    ],
  ],
  ["back", usual, live("b", rules(share("10")), rules(share("5")))],
  [
    "with another default value",
    usual,
    live("b", rules(share("5")), rules(share("10")), { defaultValue: true }),
  ],
  ["with another rule", usual, live("b", rules(german, share("5")), rules(german, share("10")))],
  [
    "where it is off",
    usual,
    live("b", { ...rules(share("5")), enabled: false }, { ...rules(share("10")), enabled: false }),
  ],
  [
    "whose ids say which rule became which",
    live(
      "a",
      rules(share("5", { id: "x" }), share("10", { id: "y" })),
      rules(share("20", { id: "x" }), share("30", { id: "y" })),
    ),
    live(
      "b",
      rules(share("5", { id: "x" }), share("10", { id: "y" })),
      rules(share("20", { id: "y" }), share("30", { id: "x" })),
    ),
  ],
  ["that makes the flag", usual, [undefined, version("b", { production: rules(share("10")) })]],
])("an edit %s has another name", (_, one, other) => {
  const [first, second] = namesOf(one, other)
  expect(second?.own).not.toBe(first?.own)
  expect(second?.shared).not.toBe(first?.shared)
})

test.each<readonly [string, Sides]>([
  ["an environment that comes", [version("a", {}), version("a", { production: rules(german) })]],
  ["an id of a configuration", live("a", rules(german), { ...rules(german, share("5")), id: "other" })],
  ["another default value", [version("a", {}), version("a", {}, { defaultValue: true })]],
])("%s: no other flag shares it", (_, sides) => expect(createEditReader()(...sides)).toBeUndefined())

test("what a commit changes is sorted by key, flags that come, go and are renamed among the others", () => {
  const between = createChangesBetween({
    ...{ project: { name: "shop" }, environments: ["staging", "production"] },
    ...{ compileExpression: scope.compileExpression, write: (said) => said },
  })
  const [before, after] = usual
  const own = { production: rules(german, share("7")) }
  const said = between({
    before: [version("z", {}, { description: "gone" }), version("m", own), before as KeptVersion],
    after: [version("y", { production: rules(share("9")) }), version("b", own), after, version("c", {})],
  })
  expect(said.map(({ flag, said: { kind, what } }) => [flag, kind, plainPhrase(what)])).toEqual([
    ["a", "changed", "rule 1 edited: value `5` → `10`"],
    ["b", "renamed", "flag renamed from `m`"],
    ["c", "added", "flag added"],
    ["y", "added", "flag added"],
    ["z", "removed", "flag removed"],
  ])
})
