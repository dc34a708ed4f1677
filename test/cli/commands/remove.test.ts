// @module-tag system
import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createProjectRepository } from "../../repository.ts"

/** A project whose flag `cart` uses the segments `beta` and, through it, `staff`; `other` uses `people`. */
function project(production: string, code = "") {
  const repository = createProjectRepository()
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

test("deletes the flag, and the segments that nobody uses any more", async () => {
  const { flagstone, has } = project(always)
  const { status, out } = await flagstone(["remove", "cart"])
  expect(status).toBe(0)
  expect(out).toContain("deleted flags/cart.yaml\n")
  expect(["cart.yaml", "cart.spec.yaml", "beta.segment.yaml", "staff.segment.yaml"].filter(has)).toEqual([])
  expect(["people.segment.yaml", "other.yaml"].filter(has).length).toBe(2)
})

test("a flag that code refers to stays, and the task names the references", async () => {
  const { flagstone, has } = project(always, 'const CART = "cart"\nuse(CART)\n')
  const { status, out, err } = await flagstone(["remove", "cart"])
  expect({ status, err }).toEqual({
    status: 1,
    err: "cart stays: 2 references left; --force deletes it all the same\n",
  })
  expect(out).toContain("as if the flag were `true`")
  expect(out).toContain("- [ ] `src/a.ts:1:15`: key\n- [ ] `src/a.ts:2:5`: constant `CART (src/a.ts:1)`\n")
  expect(has("cart.yaml")).toBe(true)
  expect((await flagstone(["remove", "cart", "--task-only"])).status).toBe(0)
  expect(has("cart.yaml")).toBe(true)
  expect((await flagstone(["remove", "cart", "--force"])).status).toBe(0)
  expect(has("cart.yaml")).toBe(false)
})

test("a flag for which others ask stays, also with --force", async () => {
  const { flagstone, has, write } = project(always)
  write(
    "flags/a.yaml",
    "defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ flag: cart, returnValue: true }] } }\n",
  )
  for (const options of [[], ["--force"]]) {
    const { status, out, err } = await flagstone(["remove", "cart", ...options])
    expect({ status, err }).toEqual({ status: 1, err: "cart stays: a depends on it\n" })
    expect(out).toContain(
      "- [ ] `flags/a.yaml:2:62`: the flag `a` depends on it, and the condition always holds: write `operator: always`",
    )
    expect(has("cart.yaml")).toBe(true)
  }
})

test.each([
  ["flag: cart", "true", "always"],
  ["flag: cart", "false", "never"],
  ["flag: cart, is: false", "false", "always"],
  ["flag: cart, is: false", "true", "never"],
])("`%s` of a flag that stays %s: the condition %s holds", async (condition, keep, word) => {
  const { flagstone, write } = project(always)
  write(
    "flags/a.yaml",
    `defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ ${condition}, returnValue: true }] } }\n`,
  )
  const { out } = await flagstone(["remove", "cart", "--keep", keep, "--task-only"])
  expect(out).toContain(`the condition ${word} holds: `)
})

test("says that large files were not searched", async () => {
  const { flagstone } = project(always, `use("cart")${" ".repeat(1_000_000)}`)
  const { out } = await flagstone(["remove", "cart", "--task-only"])
  expect(out).toContain("No code refers to it.\n\nLook there by hand: 1 file over 1 MB left out\n")
  expect((await flagstone(["remove", "cart"])).err).toBe("1 file over 1 MB left out\n")
})

test.each([
  ["boolean", "false", "yes", "true or false"],
  ["number", "1", "one", "a number"],
  ["json", "{}", "{a: 1}", "JSON"],
])("the value to keep is of the type %s", async (type, defaultValue, value, advice) => {
  const { flagstone, write } = project(always)
  write("flags/x.yaml", `type: ${type}\ndefaultValue: ${defaultValue}\n`)
  const { status, err } = await flagstone(["remove", "x", "--keep", value, "--task-only"])
  expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(advice) })
  expect(err).toContain(`the type of x is ${type}`)
})

test("no value breaks out of the command that the task ends with", async () => {
  const { flagstone, write } = project(always)
  write("flags/x.yaml", "type: string\ndefaultValue: a\n")
  const { out } = await flagstone(["remove", "x", "--keep", "it's `rm`", "--task-only"])
  expect(out).toContain('as if the flag were ``"it\'s `rm`"``.')
  expect(out).toContain("run ``flagstone remove x --keep '\"it'\\''s `rm`\"'``.")
})

test("a flag with several values needs one to keep", async () => {
  const { flagstone, has } = project(some)
  expect(await flagstone(["remove", "cart"])).toMatchObject({
    status: 2,
    err: expect.stringContaining("more than one value"),
  })
  expect(has("cart.yaml")).toBe(true)
  expect((await flagstone(["remove", "cart", "--keep", "true"])).status).toBe(0)
})

test("a flag that is not there", async () => {
  const { status, err } = await project(some).flagstone(["remove", "carts"])
  expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining("did you mean cart?") })
})
