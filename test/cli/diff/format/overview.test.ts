import { describe, expect, test } from "vitest"
import { acceptWarnings } from "../../../../cli/diff/diff.ts"
import type { ComparedRevisions } from "../../../../cli/diff/format/overview.ts"
import type { Side } from "../../../../cli/diff/sides/side.ts"
import { flag } from "../flags.ts"
import { diffOf, sideOf } from "../sides.ts"
import { compared, printed } from "./compared.ts"

type Sides = readonly [before: Side, after: Side]

const linesOf = (sides: Sides, options: Partial<ComparedRevisions> = {}) =>
  printed
    .text(compared(...sides, options))
    .trimEnd()
    .split("\n")

/** The lines below a heading. */
function under(heading: string, sides: Sides): readonly string[] {
  const lines = linesOf(sides)
  const from = lines.indexOf(heading) + 1
  const end = lines.indexOf("", from)
  return from === 0 ? [] : lines.slice(from, end === -1 ? undefined : end)
}

const unprotected = "project: shop\nenvironments: [staging, production]\n"
const set = (environments: object, type = "boolean", defaultValue: unknown = false) => ({
  type,
  defaultValue,
  environments,
})
const give = (returnValue: unknown) => ({ enabled: true, rules: [{ operator: "always", returnValue }] })
const idle = { enabled: true, rules: [] }
const owned = flag(undefined, { owner: "me" })
const plain = { a: flag(undefined), b: flag(undefined) }

describe("the summary", () => {
  const left = (flags: readonly string[], project = false) => ({ notCompared: { project, flags } })
  test.each<readonly [string, Sides, object]>([
    ["No other change in behaviour; 1 flag is not compared", [sideOf(plain), sideOf(plain)], left(["x"])],
    [
      "Nothing is compared: the project file has an error before the change",
      [sideOf(plain), sideOf(plain)],
      left(["x"], true),
    ],
    [
      "No one gets a different value; 1 metadata change; 2 flags are not compared",
      [sideOf(plain, unprotected), sideOf({ ...plain, a: owned }, unprotected)],
      left(["x", "y"]),
    ],
    [
      "`staging`: 1 flag changes what users get; `production` is gone",
      [
        sideOf(plain, unprotected),
        sideOf({ ...plain, a: set({ staging: give(true) }) }, "project: shop\nenvironments: [staging]\n"),
      ],
      {},
    ],
  ])("%s", (words, sides, beside) => {
    expect(linesOf(sides, { diff: { ...diffOf(...sides), ...beside } })[1]).toBe(words)
  })

  test.each([[["everyone-changes"], "1 warning; 1 accepted warning"]])(
    "of the accepted %j",
    (codes, words) => {
      const sides = [sideOf(plain), sideOf({ ...plain, a: set({ production: give(true) }) })] as const
      const diff = acceptWarnings(diffOf(...sides), codes)
      expect(linesOf(sides, { diff })[1]).toBe(`\`production\`: 1 flag changes what users get; ${words}`)
    },
  )
})

test("a renamed flag is listed once, with environments only if their users fare differently", () => {
  const shared = { enabled: true, rules: [{ share: { by: "id", to: 20 }, returnValue: true }] }
  const side = (key: string, production: object) =>
    sideOf({ [key]: set({ staging: give(true), production }) }, unprotected)
  const renamed = (production: object) =>
    under("renamed flags", [side("button", production), side("buttons", production)])
  const gone = "clients that ask for `button` no longer get it; under its new key, "
  expect(renamed(give(true))).toEqual([
    "  buttons: flag renamed from `button`",
    `    ${gone}everyone keeps their value`,
  ])
  expect(renamed(shared)).toEqual([
    "  buttons: flag renamed from `button`",
    `    in \`staging\`, ${gone}everyone keeps their value`,
    `    in \`production\`, ${gone}32 % of users get a different value: add \`seed: button\` to keep who is picked`,
  ])
})

test("what is not compared is listed with why", () => {
  const sides = [sideOf(plain), sideOf(plain)] as const
  const listed = (project: boolean) =>
    linesOf(sides, { diff: { ...diffOf(...sides), notCompared: { project, flags: ["x", "y"] } } }).slice(2)
  expect(listed(false)).toEqual([
    "",
    "not compared",
    "  x: it had errors before the change",
    "  y: it had errors before the change",
  ])
  expect(listed(true)).toEqual(["", "not compared", "  the project file: it had errors before the change"])
})

describe("flags that depend on others", () => {
  const text = (rules: readonly object[]) => set({ production: { enabled: true, rules } }, "string", "")
  const asks = (key: string, returnValue: string) => text([{ flag: key, returnValue }])
  const side = (value: boolean, z: string, rest: object = {}) =>
    sideOf({
      g: set({ production: give(value) }),
      h: set({ production: give(value) }),
      x: asks("g", "x"),
      y: asks("h", "y"),
      z: asks("g", z),
      ...rest,
    })

  test("are below them, but for those that were edited themselves; two with the same edit keep theirs", () => {
    expect(under("production (protected)", [side(false, "z"), side(true, "zz")])).toEqual([
      "  g: rule 1 edited: returnValue `false` → `true`",
      "    `true` instead of `false` for everyone",
      "    x: through flag `g`",
      '      `"x"` instead of `""` for everyone',
      "  h: rule 1 edited: returnValue `false` → `true`",
      "    `true` instead of `false` for everyone",
      "    y: through flag `h`",
      '      `"y"` instead of `""` for everyone',
      '  z: rule 1 edited: flag `g` has changed, returnValue `"z"` → `"zz"`',
      '    `"zz"` instead of `""` for everyone',
    ])
  })
})

describe("flags with the same edit", () => {
  const production = (value: unknown, rest: object = {}) => set({ production: give(value), ...rest })

  test("and no effect are named with their environment, once for each", () => {
    const side = (environments: object) =>
      sideOf({ a: set(environments), b: set(environments), c: production(false) })
    expect(under("no effect on values", [side({}), side({ production: idle, staging: idle })])).toEqual([
      "  2 flags in staging: configured: enabled, 0 rules",
      "    no one's value changes",
      "    a, b",
      "  2 flags in production: configured: enabled, 0 rules",
      "    no one's value changes",
      "    a, b",
    ])
  })
})

describe("one line is enough for", () => {
  const idleOf = (...sides: Sides) => under("no effect on values", sides)
  const project = (name: string, rest = "", environment = "production") =>
    `project: ${name}\nenvironments: [staging, ${environment}]\n${rest}`
  const flags = (environment = "production") => ({ a: set({ [environment]: give(true) }) })

  test("a new environment with its configurations, but not with those of others", () => {
    const before = sideOf({ a: set({}) }, "project: shop\nenvironments: [staging]\n")
    const after = sideOf({ a: set({ staging: idle, production: give(true) }) }, unprotected)
    expect(under("production", [before, after])).toEqual([])
    expect(idleOf(before, after)).toEqual([
      "  production: environment added",
      "    no client reads a new environment yet",
      "  a in staging: configured: enabled, 0 rules",
      "    no one's value changes",
    ])
  })

  test.each([
    [
      "a list of protected environments under their new names",
      "protected: [production]\n",
      "protected: [live]\n",
      [],
    ],
    [
      "such a list beside an environment with the same name",
      "protected: [staging, production]\n",
      "protected: [live, staging]\n",
      [],
    ],
  ])("%s", (_, before, after, expected) => {
    const [was, is] = [project("shop", before), project("shop", after, "live")]
    const lines = linesOf([sideOf(flags(), was), sideOf(flags("live"), is)])
    expect(lines.filter((line) => line.includes("protected:"))).toEqual(expected)
  })

  test.each([
    ["that is written", project("shop", "id: one\n"), project("shop", "id: two\n"), 1],
    ["that is written from now on", project("shop"), project("store", "id: two\n"), 1],
    ["that is no longer written", project("shop", "id: one\n"), project("store"), 1],
  ])("an id %s", (_, before, after, count) => {
    const lines = linesOf([sideOf(flags(), before), sideOf(flags(), after)])
    expect(lines.filter((line) => line.includes("project file, id:"))).toHaveLength(count)
    expect(lines.filter((line) => /^ {2}a: ids?/.test(line))).toEqual([])
  })

  test("the id of an environment, which its configurations follow", () => {
    const [before, after] = ["one", "two"].map((id) =>
      sideOf(flags(), `project: shop\nenvironments: [staging, { name: production, id: ${id} }]\n`),
    )
    expect(before && after && idleOf(before, after)).toEqual(["  production: environment id: `one` → `two`"])
  })

  test("and a flag's own id is not covered", () => {
    const side = (id: string) => sideOf({ a: { ...set({}), id } })
    expect(idleOf(side("one"), side("two"))).toEqual(["  a: id: `one` → `two`"])
  })
})
