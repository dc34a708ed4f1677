// @module-tag system
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { filesOn, golden, sectionOf } from "../../golden-page.ts"
import { createProjectRepository } from "../../repository.ts"

const project = "project: shop\nenvironments: [staging, production]\nprotected: [production]\nclock: now\n"

/** A repository with flags by key, and `set` in it. */
function shop(flags: Readonly<Record<string, string>>) {
  const repository = createProjectRepository()
  repository.write("flags/project.yaml", project)
  for (const [key, text] of Object.entries(flags)) repository.write(`flags/${key}.yaml`, text)
  return {
    set: (...args: readonly string[]) => repository.flagstone(["set", ...args]),
    textOf: (key: string) => readFileSync(join(repository.folder, `flags/${key}.yaml`), "utf8"),
  }
}

// A case is a flag file whose first line has the options, on a page with the output and the file afterwards.
const page = join(golden, "set.md")

test("each case has its output and the file afterwards", async () => {
  const sections: string[] = []
  for (const [file, text] of filesOn(page)) {
    const { set, textOf } = shop({ cart: text })
    const [first = ""] = text.split("\n")
    const { out, err, status } = await set("cart", ...first.split(" ").slice(2))
    sections.push(sectionOf(file, text, `${out}${err}exit ${status}\n`, textOf("cart")))
  }
  await expect(["# set\n", ...sections].join("\n")).toMatchFileSnapshot(page)
})

const off =
  "defaultValue: false\nenvironments:\n  production: { enabled: false, rules: [{ operator: always, returnValue: true }] }\n"

test("a dry run writes nothing", async () => {
  const { set, textOf } = shop({ cart: off })
  expect(await set("cart", "--in", "production", "--on", "--dry-run")).toMatchObject({
    status: 0,
    out: expect.stringContaining("`true` instead of `false` for everyone"),
    err: "flags/cart.yaml would change\n",
  })
  expect(textOf("cart")).toBe(off)
})

test("the JSON is that of diff", async () => {
  const { set } = shop({ cart: off })
  const { out } = await set("cart", "--in", "production", "--on", "--format", "json")
  expect(JSON.parse(out)).toMatchObject({
    formatVersion: 2,
    changes: [{ kind: "switched-on", flag: "cart" }],
  })
  const same = await set("cart", "--in", "production", "--on", "--format", "json")
  expect(JSON.parse(same.out)).toMatchObject({ formatVersion: 2, changes: [], warnings: [] })
})

test("a flag that depends on the one that is set is in the output", async () => {
  const user =
    "defaultValue: false\nenvironments:\n  production: { enabled: true, rules: [{ flag: cart, returnValue: true }] }\n"
  const { set } = shop({ cart: off, list: user })
  const { out } = await set("cart", "--in", "production", "--on")
  expect(out).toContain("2 flags change what users get")
})

test.each([
  [["crt", "--in", "production", "--on"], "no flag `crt`; did you mean `cart`?"],
  [["cart", "--in", "produktion", "--on"], "no environment `produktion`; did you mean `production`?"],
  [["cart", "--in", "production,stagin", "--on"], "no environment `stagin`; did you mean `staging`?"],
  [["cart", "--on"], "name the environments with --in"],
  [["cart", "--in", ",", "--on"], "name the environments with --in"],
  [["cart", "--in", "production", "--off", "--by", "userId"], "--by and --rule are about --share"],
  [["cart", "--in", "production", "--off", "--rule", "2"], "--by and --rule are about --share"],
  [["size", "--default", "2", "--by", "userId"], "--by and --rule are about --share"],
  [["size", "--default", "1e999"], "size is a number, and `1e999` is not"],
  [["cart", "--in", "production"], "say what to set"],
  [
    ["cart", "--in", "production", "--everyone", "yes"],
    "cart is a boolean, and `yes` is not. Known: `true` and `false`.",
  ],
  [
    ["cart", "--in", "production", "--everyone", "ture"],
    "cart is a boolean, and `ture` is not; did you mean `true`?",
  ],
  [["tone", "--in", "production", "--everyone", "lowd"], "tone never gives `lowd`; did you mean `loud`?"],
  [["size", "--default", "big"], "size is a number, and `big` is not"],
  [["shape", "--default", "{"], "shape is JSON, and `{` is not"],
  [["cart", "--in", "production", "--share", "101"], "Write a percentage from 0 to 100"],
  [["cart", "--in", "production", "--share", "1.2345"], "with at most three decimals"],
  [["cart", "--in", "production", "--share", "5", "--rule", "0"], "Write the number of a rule"],
  [["cart", "--in", "production", "--on", "--off"], "cannot be used with"],
  [["cart", "--in", "production", "--default", "true"], "cannot be used with"],
])("%s is a mistake that names the way out", async (args, message) => {
  const flags = {
    cart: off,
    tone: "type: string\ndefaultValue: quiet\nenvironments:\n  staging: { enabled: true, rules: [{ operator: always, returnValue: loud }] }\n",
    size: "type: number\ndefaultValue: 1\n",
    shape: "type: json\ndefaultValue: {}\n",
  }
  const { set, textOf } = shop(flags)
  expect(await set(...args)).toMatchObject({ status: 2, out: "", err: expect.stringContaining(message) })
  expect(textOf("cart")).toBe(off)
})

test("nothing is written while flags have errors", async () => {
  const { set, textOf } = shop({ cart: off, broken: "defaultValues: false\n" })
  expect(await set("cart", "--in", "production", "--on")).toMatchObject({
    status: 2,
    err: expect.stringContaining("nothing was written"),
  })
  expect(textOf("cart")).toBe(off)
})

const invariant =
  "- name: Lists need carts\n  environments: [production]\n  if: { flag: list }\n  then: { flag: cart }\n"
const on = off.replace("enabled: false", "enabled: true")

test.each([
  [["cart", "--off"]],
  [["cart", "--off", "--dry-run"]],
  [["cart", "--everyone", "false", "--format", "json"]],
])("%s is refused if it breaks an invariant", async ([key = "", ...args]) => {
  const { set, textOf } = shop({ cart: on, list: on, invariants: invariant })
  expect(await set(key, "--in", "production", ...args)).toMatchObject({
    status: 2,
    out: "",
    err: expect.stringMatching(/`Lists need carts` does not hold.*1 error: nothing was written\n$/s),
  })
  expect(textOf(key)).toBe(on)
})

test("a flag of an invariant that is broken already can be changed", async () => {
  const { set } = shop({ cart: off, list: on, invariants: invariant })
  expect(await set("list", "--in", "staging", "--everyone", "true")).toMatchObject({ status: 0 })
})

test("an edit that another command makes meanwhile is not lost", async () => {
  const { write, flagstone, folder } = createProjectRepository()
  write("flags/project.yaml", project)
  write("flags/cart.yaml", off)
  const now = () => {
    write("flags/cart.yaml", on)
    return 0
  }
  expect(await flagstone(["set", "cart", "--default", "true"], { now })).toMatchObject({
    status: 2,
    out: "",
    err: expect.stringMatching(
      /cannot write .*cart\.yaml: it has changed since it was read, so run this again\n$/,
    ),
  })
  expect(readFileSync(join(folder, "flags/cart.yaml"), "utf8")).toBe(on)
})
