// @module-tag system
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createProjectRepository } from "../../repository.ts"

/** A project whose flag `cart` uses the segments `beta` and, through it, `staff`; `other` uses `people`. */
function project(production: string, code = "") {
  const repository = createProjectRepository()
  repository.write(
    "flags/project.yaml",
    "project: shop\nenvironments: [staging, production]\nprotected: [production]\n",
  )
  const flag = (rules: string) =>
    `defaultValue: false\nenvironments: { production: { enabled: true, rules: [${rules}] } }\n`
  repository.write("flags/cart.yaml", flag(production))
  repository.write("flags/cart.spec.yaml", "flag: cart\ncases: [{ in: production, gets: true }]\n")
  repository.write("flags/beta.segment.yaml", "any: [{ segment: staff }, { segment: people }]\n")
  repository.write("flags/staff.segment.yaml", "attribute: email\noperator: endsWith\nvalue: '@a'\n")
  repository.write("flags/people.segment.yaml", "attribute: id\noperator: equals\nvalue: a\n")
  repository.write("flags/other.yaml", flag("{ segment: people, returnValue: true }"))
  repository.write("src/a.ts", code)
  repository.commit(0)
  const has = (path: string) => existsSync(join(repository.folder, "flags", path))
  return { ...repository, has }
}

const always = "{ segment: beta, returnValue: true }, { operator: always, returnValue: true }"
const some = "{ segment: beta, returnValue: true }"

test("deletes the flag, and the segments that only it used", async () => {
  const { flagstone, has } = project(always)
  const deleted = ["cart.yaml", "cart.spec.yaml", "beta.segment.yaml", "staff.segment.yaml"]
  expect(await flagstone(["remove", "cart"])).toEqual({
    status: 0,
    out: "",
    err: deleted.map((path) => `deleted flags/${path}\n`).join(""),
  })
  expect(deleted.filter(has)).toEqual([])
  expect(["people.segment.yaml", "other.yaml"].filter(has).length).toBe(2)
})

test("specs that project.yaml ignores stay", async () => {
  const { flagstone, has, write } = project(always)
  write(
    "flags/project.yaml",
    "project: shop\nenvironments: [staging, production]\nprotected: [production]\nignore: [old/**]\n",
  )
  write("flags/old/cart.spec.yaml", "flag: cart\ncases: []\n")
  expect((await flagstone(["remove", "cart"])).status).toBe(0)
  expect(["cart.spec.yaml", "old/cart.spec.yaml"].map(has)).toEqual([false, true])
})

test("generated types that name the flag are no reference", async () => {
  const { flagstone, has, write } = project(always)
  write("src/flags.d.ts", (await flagstone(["codegen", "types"])).out)
  expect(await flagstone(["remove", "cart"])).toMatchObject({ status: 0, out: "" })
  expect(has("cart.yaml")).toBe(false)
})

test("lists and schemas that only the flag and its segments used go with it", async () => {
  const { flagstone, has, write } = project(always)
  const listed = (file: string) => `{ attribute: id, operator: in, value: { file: ${file} }`
  write(
    "flags/x.yaml",
    `type: json\nschema: x.json\ndefaultValue: {}\nenvironments: { production: { enabled: true, rules: [{ segment: mine, returnValue: {} }, ${listed("own.txt")}, returnValue: {} }, ${listed("shared.txt")}, returnValue: {} }, ${listed("guarded.txt")}, returnValue: {} }] } }\n`,
  )
  write("flags/x.json", "{}\n")
  write("flags/y.json", "{}\n")
  write("flags/y.yaml", "type: json\nschema: y.json\ndefaultValue: {}\n")
  write("flags/mine.segment.yaml", `any: [${listed("of-mine.txt")} }, ${listed("of-idle.txt")} }]\n`)
  write("flags/idle.segment.yaml", "attribute: id\noperator: in\nvalue: { file: of-idle.txt }\n")
  write(
    "flags/asks.yaml",
    `defaultValue: false\nenvironments: { production: { enabled: true, rules: [${listed("shared.txt")}, returnValue: true }] } }\n`,
  )
  write(
    "flags/invariants.yaml",
    `- name: None\n  never: { all: [${listed("guarded.txt")} }, { flag: asks }] }\n`,
  )
  const lists = ["own.txt", "shared.txt", "guarded.txt", "of-mine.txt", "of-idle.txt"]
  for (const list of lists) write(`flags/${list}`, `${list}\n`)
  const { err } = await flagstone(["remove", "x", "--keep", "{}"])
  const deleted = ["x.yaml", "mine.segment.yaml", "of-mine.txt", "own.txt", "x.json"]
  expect(err.split("\n").sort()).toEqual(["", ...deleted.map((path) => `deleted flags/${path}`).sort()])
  expect([...deleted, ...lists, "y.json"].filter(has)).toEqual([
    "shared.txt",
    "guarded.txt",
    "of-idle.txt",
    "y.json",
  ])
})

test("a segment that an unused segment needs stays", async () => {
  const { flagstone, has, write } = project(always)
  write("flags/idle.segment.yaml", "segment: staff\n")
  expect((await flagstone(["remove", "cart"])).status).toBe(0)
  expect([has("beta.segment.yaml"), has("staff.segment.yaml")]).toEqual([false, true])
})

test("a segment of the fast lane stays, with the segment that it uses", async () => {
  const { flagstone, has, write } = project(always)
  write(
    "flags/project.yaml",
    "project: shop\nenvironments: [staging, production]\nprotected: [production]\nfastLane: [{ environments: [production], only: { segment: beta } }]\n",
  )
  expect(await flagstone(["remove", "cart"])).toMatchObject({ status: 0 })
  expect(["cart.yaml", "beta.segment.yaml", "staff.segment.yaml"].map(has)).toEqual([false, true, true])
  expect((await flagstone(["lint"])).status).toBe(0)
})

test("a flag that code refers to stays, and the task names the references", async () => {
  const { flagstone, has } = project(always, 'const CART = "cart"\nuseFlag(CART)\n')
  const { status, out, err } = await flagstone(["remove", "cart"])
  expect({ status, err }).toEqual({
    status: 1,
    err: "cart was not deleted: 2 references left; --force deletes it anyway\n",
  })
  expect(out).toBe(`# Remove the flag \`cart\`

Replace each evaluation of the flag with \`true\`, and delete code that can then never run. Release that everywhere before you delete the flag: once it is gone, every call returns its own default.

- [ ] \`src/a.ts:1:15\`: key
- [ ] \`src/a.ts:2:9\`: constant \`CART (src/a.ts:1)\`
- [ ] delete the constant \`CART\`

Done when the tests pass and \`flagstone usages cart\` finds no references. Then run \`flagstone remove cart --keep true\`.
`)
  expect(has("cart.yaml")).toBe(true)
  expect((await flagstone(["remove", "cart", "--task-only"])).status).toBe(0)
  expect(has("cart.yaml")).toBe(true)
})

test("with --force the flag goes, and the task does not ask to remove it again", async () => {
  const { flagstone, has } = project(always, 'useFlag("cart")\n')
  const { status, out } = await flagstone(["remove", "cart", "--force"])
  expect(status).toBe(0)
  expect(out).toContain("The flag is already deleted")
  expect(out).toMatch(/Done when the tests pass and `flagstone usages cart` finds no references\.\n$/)
  expect(has("cart.yaml")).toBe(false)
})

test("with --force and --task-only the flag stays, and the task says so", async () => {
  const { flagstone, has } = project(always, 'use("cart")\n')
  const { out } = await flagstone(["remove", "cart", "--force", "--task-only"])
  expect(out).not.toContain("already deleted")
  expect(out).toMatch(/ Then run `flagstone remove cart --keep true`\.\n$/)
  expect(has("cart.yaml")).toBe(true)
})

test("the commands of the task find the same flags and the same code", async () => {
  const { flagstone } = project(always, 'useFlag("cart")\n')
  const { out } = await flagstone(["remove", "cart", "--flags", "./flags", "--code", "src"])
  expect(out).toContain("`flagstone usages cart --flags ./flags --code src`")
  expect(out).toContain("`flagstone remove cart --keep true --flags ./flags --code src`")
})

test("a flag that an invariant is about stays, and the task names the invariant", async () => {
  const { flagstone, has, write } = project(always)
  write("flags/invariants.yaml", "- name: Carts are for all\n  never: { flag: cart, is: false }\n")
  const { status, out, err } = await flagstone(["remove", "cart"])
  expect({ status, err }).toEqual({
    status: 1,
    err: "cart was not deleted: Carts are for all depends on it\n",
  })
  expect(out).toContain("the invariant `Carts are for all` has a condition that is now never true")
  expect(has("cart.yaml")).toBe(true)
})

test("a flag that others depend on stays, even with --force", async () => {
  const { flagstone, has, write } = project(always)
  write(
    "flags/a.yaml",
    "defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ flag: cart, returnValue: true }] } }\n",
  )
  for (const options of [[], ["--force"]]) {
    const { status, out, err } = await flagstone(["remove", "cart", ...options])
    expect({ status, err }).toEqual({ status: 1, err: "cart was not deleted: a depends on it\n" })
    expect(out).toContain(
      "- [ ] `flags/a.yaml:2:62`: the flag `a` has a condition that is now always true: replace it with `operator: always`",
    )
    expect(out).toContain("Then run `flagstone remove cart")
    expect(has("cart.yaml")).toBe(true)
  }
  write(
    "flags/invariants.yaml",
    "- { name: I, never: { any: [{ flag: cart }, { flag: cart, is: false }] } }\n",
  )
  expect((await flagstone(["remove", "cart"])).err).toBe("cart was not deleted: a, I depend on it\n")
})

test.each([
  ["flag: cart", "true", "always"],
  ["flag: cart", "false", "never"],
  ["flag: cart, is: false", "false", "always"],
  ["flag: cart, is: false", "true", "never"],
  ["none: [{ flag: cart }]", "true", "always", "a `none` with it now matches no one\n"],
  ["none: [{ flag: cart }]", "false", "never", "a `none` without another now matches everyone\n"],
])("`%s` of a flag that stays %s: the condition %s holds", async (condition, keep, word, advice = "") => {
  const { flagstone, write } = project(always)
  write(
    "flags/a.yaml",
    `defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ ${condition}, returnValue: true }] } }\n`,
  )
  const { out } = await flagstone(["remove", "cart", "--keep", keep, "--task-only"])
  expect(out).toContain(`a condition that is now ${word} true: `)
  expect(out).toContain(advice)
})

test.each([
  ["boolean", "false", "yes", "`false` and `true`"],
  ["number", "1", "one", "`1` and `2`"],
  ["number", "1", "3", "`1` and `2`"],
  ["string", "blue", "purple", '`"blue"` and `"deep red"`'],
  ["json", "{ b: 1, a: [] }", '{"a": [], "b": 2}', '`{"a":[],"b":1}` and `{"a":[1]}`'],
])("a value that a flag of type %s never gives is refused", async (type, defaultValue, value, given) => {
  const { flagstone, write } = project(always)
  const other = { boolean: "true", number: "2", string: "deep red", json: "{ a: [1] }" }[type]
  const rule = `{ attribute: a, operator: equals, value: a, returnValue: ${other} }`
  const environments = `{ production: { enabled: false, rules: [${rule}] } }`
  write("flags/x.yaml", `type: ${type}\ndefaultValue: ${defaultValue}\nenvironments: ${environments}\n`)
  expect(await flagstone(["remove", "x", "--keep", value, "--task-only"])).toMatchObject({
    status: 2,
    err: `flagstone: --keep ${value}: x never gives this value. It gives ${given}.\n`,
  })
})

test.each([
  ["string", "'true'", "true", '"true"'],
  ["string", "deep red", '"deep red"', '"deep red"'],
  ["number", "0.5", "5e-1", "0.5"],
  ["json", "{ b: 1, a: [] }", '{"b": 1.0, "a": []}', '{"a":[],"b":1}'],
])("a %s may be written in several ways", async (type, defaultValue, value, keep) => {
  const { flagstone, write } = project(always)
  write("flags/x.yaml", `type: ${type}\ndefaultValue: ${defaultValue}\n`)
  const { out } = await flagstone(["remove", "x", "--keep", value, "--task-only"])
  expect(out).toContain(`each evaluation of the flag with \`${keep}\`,`)
})

test("no value breaks out of the command that the task ends with", async () => {
  const { flagstone, write } = project(always)
  write("flags/x.yaml", 'type: string\ndefaultValue: "it\'s `rm`"\n')
  const { out } = await flagstone(["remove", "x", "--task-only"])
  expect(out).toContain('each evaluation of the flag with ``"it\'s `rm`"``,')
  expect(out).toContain("run ``flagstone remove x --keep '\"it'\\''s `rm`\"'``.")
})

test("a flag with several values needs one to keep", async () => {
  const { flagstone, has } = project(some)
  expect(await flagstone(["remove", "cart"])).toMatchObject({
    status: 2,
    err: "flagstone: cart gives more than one value: choose one with --keep. It gives `false` and `true`.\n",
  })
  expect(has("cart.yaml")).toBe(true)
  expect((await flagstone(["remove", "cart", "--keep", "true"])).status).toBe(0)
})

describe("a flag that is on in staging and not in production", () => {
  const on = "{ enabled: true, rules: [{ operator: always, returnValue: true }] }"
  const waiting = (production: string) => {
    const created = project(some, 'get("gift-cards")\n')
    created.write(
      "flags/gift-cards.yaml",
      `defaultValue: false\nenvironments: { staging: ${on}${production} }\n`,
    )
    return created
  }

  test.each([
    ["not configured", ""],
    ["disabled", `, production: ${on.replace("true", "false")}`],
  ])("needs a value to keep: %s", async (_, production) => {
    const { flagstone, has } = waiting(production)
    for (const options of [[], ["--task-only"], ["--force"], ["--code", "flags"]])
      expect(await flagstone(["remove", "gift-cards", ...options])).toEqual({
        status: 2,
        out: "",
        err: "flagstone: gift-cards is waiting: it is disabled or not configured in `production`, where everyone gets the default, `false`. Choose the value to keep with --keep. It gives `false` and `true`.\n",
      })
    expect(has("gift-cards.yaml")).toBe(true)
  })

  test("with a value to keep, the task says whom that gives a different value", async () => {
    const { flagstone, has } = waiting("")
    const keep = async (value: string) =>
      (await flagstone(["remove", "gift-cards", "--keep", value, "--task-only"])).out
    const launch =
      "In `production`, the change gives everyone `true`, including users who get a different value today: check that this is intended.\n"
    expect(await keep("true")).toContain(launch)
    expect(await keep("true")).not.toContain("always")
    expect(await keep("false")).not.toContain("check that this is intended")
    expect((await flagstone(["remove", "gift-cards", "--keep", "false", "--force"])).status).toBe(0)
    expect(has("gift-cards.yaml")).toBe(false)
  })
})

test("a flag that does not exist", async () => {
  const { status, err } = await project(some).flagstone(["remove", "carts"])
  expect({ status, err }).toMatchObject({
    status: 2,
    err: expect.stringContaining("no flag `carts`; did you mean `cart`?"),
  })
})

test("nothing is deleted if a flag file has errors", async () => {
  const { flagstone, has, write } = project(always)
  write("flags/x.yaml", "defaultValue: maybe\n")
  write(
    "flags/no-effect.yaml",
    "defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ operator: always, returnValue: false }] } }\n",
  )
  const { status, err } = await flagstone(["remove", "cart"])
  expect({ status, err }).toEqual({
    status: 1,
    err: expect.stringMatching(/^flags\/x\.yaml:1:15 error .*\n1 error: nothing was deleted\n$/s),
  })
  expect(err).not.toContain("warning")
  expect(has("cart.yaml")).toBe(true)
  write("flags/project.yaml", "project: shop\n")
  expect(await flagstone(["remove", "cart"])).toMatchObject({
    status: 2,
    err: expect.stringMatching(/^flags\/project\.yaml:.*\n2 errors: nothing was deleted\n$/s),
  })
})
