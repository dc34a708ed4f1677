// @module-tag system
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { filesOn, golden, sectionOf } from "../../golden-page.ts"
import { createProjectRepository } from "../../repository.ts"

const project = "project: shop\nenvironments: [development, staging, production]\nprotected: [production]\n"

/** A repository with flags by key, and `promote` in it. */
function shop(flags: Readonly<Record<string, string>>) {
  const repository = createProjectRepository()
  repository.write("flags/project.yaml", project)
  for (const [key, text] of Object.entries(flags)) repository.write(`flags/${key}.yaml`, text)
  return {
    ...repository,
    promote: (...args: readonly string[]) => repository.flagstone(["promote", ...args]),
    textOf: (key: string) => readFileSync(join(repository.folder, `flags/${key}.yaml`), "utf8"),
  }
}

const always = "{ enabled: true, rules: [{ operator: always, returnValue: true }] }"
const off = "{ enabled: false, rules: [] }"
const flagOf = (staging: string, production: string, more = "") =>
  `defaultValue: false\n${more}environments:\n  staging: ${staging}\n  production: ${production}\n`
const onward = ["--from", "staging", "--to", "production"]

// A case is a flag file whose first line has the options, on a page with the output and the file afterwards.
const page = join(golden, "promote.md")
const cases = filesOn(page)

test("each case has its output and the file afterwards", async () => {
  const sections: string[] = []
  for (const [file, text] of cases) {
    const [first = ""] = text.split("\n")
    const { promote, textOf } = shop({ cart: text })
    const { out, err, status } = await promote("cart", ...onward, ...first.split(" ").slice(2))
    sections.push(sectionOf(file, text, `${out}${err}exit ${status}\n`, textOf("cart")))
  }
  await expect(["# promote\n", ...sections].join("\n")).toMatchFileSnapshot(page)
})

test("a second promotion changes nothing, and then no difference is left", async () => {
  for (const [file, text] of cases) {
    if (/share|append|layout|anchor|own|absent-from/.test(file)) continue
    const { promote, textOf } = shop({ cart: text })
    await promote("cart", ...onward, "--replace")
    const once = textOf("cart")
    expect({ file, ...(await promote("cart", ...onward)) }).toMatchObject({ file, status: 0, out: "" })
    expect(textOf("cart")).toBe(once)
    expect({ file, ...(await promote("--check", ...onward)) }).toMatchObject({ file, status: 0 })
  }
})

test("line ends stay as they are", async () => {
  const text = flagOf("\n    enabled: true\n    rules:\n      - { operator: always, returnValue: true }", off)
  const { promote, textOf } = shop({ cart: text.replaceAll("\n", "\r\n") })
  expect((await promote("cart", ...onward)).status).toBe(0)
  expect(textOf("cart").replaceAll("\r\n", "")).not.toMatch(/[\r\n]/)
  expect(textOf("cart")).toContain("  production:\r\n    enabled: true\r\n    rules:\r\n      - { op")
})

describe("several flags", () => {
  const flags = {
    a: flagOf(always, off, "tags: [web, release-42]\n"),
    b: flagOf(always, off),
    c: "defaultValue: false\n",
  }

  test("are all of them, or those with a tag", async () => {
    const { promote, textOf } = shop(flags)
    expect(await promote("--all", "--tag", "release-42", ...onward)).toMatchObject({ status: 0 })
    expect([textOf("a"), textOf("b")]).toEqual([flagOf(always, always, "tags: [web, release-42]\n"), flags.b])
    expect(await promote("--all", "--from", "staging", "--to", "next")).toMatchObject({
      status: 0,
      err: "1 file changed\n",
    })
    expect(textOf("b")).toBe(flagOf(always, always))
  })

  test("stay as they are if one of them is refused", async () => {
    const { promote, textOf } = shop(flags)
    expect(await promote("a", "c", ...onward)).toEqual({
      status: 1,
      out: "",
      err: "flags/c.yaml: staging does not configure the flag, so there is nothing to copy\nnothing was written\n",
    })
    expect(textOf("a")).toBe(flags.a)
  })
  test("stay as they are in a dry run", async () => {
    const { promote, textOf } = shop(flags)
    const dry = await promote("--all", "--dry-run", ...onward)
    expect(dry.err).toBe("2 files would change\n")
    expect(textOf("a")).toBe(flags.a)
    expect((await promote("--all", ...onward)).out).toBe(dry.out)
  })
  test("of which one cannot be written: it says which are, and the next run does the rest", async () => {
    const long = "b".repeat(240) // its temporary file's name is too long
    const { move, promote, textOf } = shop({ a: flags.a, [long]: `key: b\n${flags.b}` })
    expect(await promote("--all", ...onward)).toMatchObject({
      status: 2,
      err: expect.stringMatching(/b\.yaml.*ENAMETOOLONG.*; changed 1 of 2 files, run it again/),
    })
    expect(textOf("a")).toBe(flagOf(always, always, "tags: [web, release-42]\n"))
    expect(textOf(long)).toBe(`key: b\n${flags.b}`)
    move(`flags/${long}.yaml`, "flags/b.yaml")
    expect(await promote("--all", ...onward)).toMatchObject({ status: 0, err: "1 file changed\n" })
  })
})

test("with a mistake in the project file, no flag can be promoted", async () => {
  const { promote, write } = shop({ cart: flagOf(always, off) })
  write("flags/project.yaml", `${project}owner: ann\n`)
  expect(await promote("cart", ...onward)).toMatchObject({
    status: 2,
    err: expect.stringMatching(/^flags\/project\.yaml:4:1 error .*\n1 error: nothing was written\n$/s),
  })
})

test("files with errors are named, and nothing is written", async () => {
  const { promote, textOf } = shop({ a: flagOf(always, off), b: "defaultValue: maybe\n" })
  const { status, err } = await promote("a", ...onward)
  expect(status).toBe(1)
  expect(err).toContain("flags/b.yaml:1:15 error wrong-value-type")
  expect(err).toMatch(/nothing was written\n$/)
  expect(textOf("a")).toBe(flagOf(always, off))
})

test("a promotion that breaks an invariant is refused", async () => {
  const { write, promote, textOf } = shop({ a: flagOf(always, off), b: flagOf(always, off) })
  write("flags/invariants.yaml", "- name: A needs B\n  if: { flag: a }\n  then: { flag: b }\n")
  for (const dry of [[], ["--dry-run"]])
    expect(await promote("a", ...onward, ...dry)).toMatchObject({
      status: 1,
      out: "",
      err: expect.stringMatching(/`A needs B` does not hold.*1 error: nothing was written\n$/s),
    })
  expect(textOf("a")).toBe(flagOf(always, off))
  expect(await promote("a", "b", ...onward)).toMatchObject({ status: 0 })
})

test.each([
  [["cart", "--from", "stagin", "--to", "produktion"], "no environment `stagin`; did you mean `staging`?"],
  [
    ["cart", "--from", "production", "--to", "next"],
    "production is the last environment, so there is no next one",
  ],
  [["cart", "--from", "staging", "--to", "staging"], "--from and --to are both staging"],
  [["car", "menu", ...onward], "no flag `car`; did you mean `cart`?"],
  [onward, "name the flags, or promote all of them with --all"],
  [
    ["--all", "--tag", "release,releese,web", ...onward],
    "no flag has the tag `releese`; did you mean `release`?",
  ],
  [["--check", "--tag", "releese", ...onward], "no flag has the tag `releese`; did you mean `release`?"],
  [["nothing-like-it", "--check", ...onward], "no flag `nothing-like-it`. Known: `cart`.\n"],
  [["cart", "--all", ...onward], "name the flags, or promote all of them with --all, not both"],
  [["cart", "--all", "--check", ...onward], "name the flags, or promote all of them with --all, not both"],
  [["cart", "--format", "markdown", ...onward], "--format markdown needs --check"],
  [
    ["cart", ...onward, "--share", "100"],
    "Write a percentage between 0 and 100, with at most three decimals, such as 10.",
  ],
  [
    ["--check", ...onward, "--share", "10"],
    "option '--check' cannot be used with option '--share <percent>'",
  ],
  [["cart", ...onward, "--replace", "--append"], "cannot be used with option '--append'"],
])("%s", async (args, message) => {
  const { status, err } = await shop({ cart: flagOf(always, off, "tags: [release]\n") }).promote(...args)
  expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(message) })
})

describe("--check", () => {
  test("shows what differs, as text and as release notes", async () => {
    const { promote } = shop({ cart: flagOf(always, off), other: flagOf(always, always) })
    expect(await promote("--check", ...onward)).toMatchInlineSnapshot(`
      {
        "err": "",
        "out": "staging → production
      \`production\`: 1 flag changes what users get; 1 warning

      production (protected)
        cart: switched on; rule 1 added: \`always\` gives \`true\`
          \`true\` instead of \`false\` for everyone

      warnings

      flags/cart.yaml:3:49 warning everyone-changes
        In \`production\`, everyone gets a different value at once. Is that what you want?
        3 |   staging: { enabled: true, rules: [{ operator: always, returnValue: true }] }
          |                                                 ^^^^^^
      ",
        "status": 1,
      }
    `)
    expect((await promote("--check", ...onward, "--format", "markdown")).out).toMatchInlineSnapshot(`
      "**Flags:** \`production\`: 1 flag changes what users get; 1 warning.

      \`staging\` → \`production\`

      ### \`production\` (protected)

      - **\`cart\`** (\`flags/cart.yaml\`): switched on; rule 1 added: \`always\` gives \`true\`
        - \`true\` instead of \`false\` for everyone

      ### Warnings

      - \`flags/cart.yaml:3\` \`everyone-changes\`: In \`production\`, everyone gets a different value at once. Is that what you want?
      "
    `)
    expect(await promote("other", "--check", ...onward)).toMatchObject({ status: 0 })
  })
  test("names the environment that is next", async () => {
    const { promote } = shop({ cart: flagOf(always, off) })
    expect((await promote("--check", "--from", "staging", "--to", "next")).out).toMatch(
      /^staging → production\n/,
    )
  })

  test("sees a flag that only one of them configures", async () => {
    const { promote } = shop({ cart: `defaultValue: false\nenvironments: { production: ${always} }\n` })
    expect(await promote("--check", ...onward)).toMatchObject({
      status: 1,
      out: expect.stringContaining("configuration removed"),
    })
  })

  test("names the side that has errors, each once", async () => {
    const { write, commit, promote } = shop({ cart: "defaultValue: maybe\n" })
    commit(1)
    write("flags/cart.yaml", flagOf(always, off))
    commit(2)
    const errorsOf = async (from: string, to: string) => {
      const { err, status } = await promote("--check", "--from", from, "--to", to)
      expect(status).toBe(2)
      return err.match(/^.*(?: error |error[s,]|written).*$/gm)
    }
    const error = "flags/cart.yaml:1:15 error wrong-value-type"
    const sentence = "1 error, so it cannot be compared"
    expect(await errorsOf("staging@HEAD~", "production")).toEqual([error, `staging@HEAD~: ${sentence}`])
    expect(await errorsOf("staging", "production@HEAD~")).toEqual([error, `production@HEAD~: ${sentence}`])
    expect(await errorsOf("staging@HEAD~", "next@HEAD~")).toEqual([error, `staging@HEAD~: ${sentence}`])
    write("flags/cart.yaml", "defaultValue: maybe\n")
    expect(await errorsOf("staging", "production")).toEqual([error, `the work tree: ${sentence}`])
  })
  test("shows for flags that depend on others what a promotion of the same flags would change", async () => {
    const asks = "{ enabled: true, rules: [{ flag: cart, returnValue: true }] }"
    const { promote } = shop({
      cart: flagOf(always, off),
      same: flagOf(asks, asks),
      later: flagOf(asks, off),
      different: flagOf(
        asks,
        "{ enabled: true, rules: [{ attribute: a, operator: exists, returnValue: true }] }",
      ),
    })
    expect(await promote("same", "--check", ...onward)).toMatchObject({ status: 0 })
    for (const keys of [["same"], ["later"], ["different"], ["same", "cart"], ["later", "cart"]]) {
      const { out } = await promote(...keys, ...onward, "--dry-run", "--replace")
      const check = await promote(...keys, "--check", ...onward)
      expect({ keys, values: check.out.match(/^ {4}`.* instead of .*/gm) }).toEqual({
        keys,
        values: out.match(/^ {4}`.* instead of .*/gm),
      })
    }
  })
  test("compares any two revisions", async () => {
    const { write, commit, promote } = shop({ cart: flagOf(off, off) })
    commit(1)
    write("flags/cart.yaml", flagOf(always, off))
    write("flags/new.yaml", flagOf(always, off))
    commit(2)
    const check = (from: string, to: string) => promote("--check", "--from", from, "--to", to)
    expect(await check("staging@HEAD~", "production@HEAD")).toMatchObject({ status: 1 })
    expect(await check("staging@HEAD~", "production@HEAD~")).toMatchObject({ status: 0 })
    expect(await check("production", "production@HEAD")).toMatchObject({ status: 0 })
    expect((await check("staging@HEAD", "staging@HEAD~")).out).toMatchInlineSnapshot(`
      "staging@HEAD → staging@HEAD~
      \`staging\`: 2 flags change what users get

      staging
        cart: switched on; rule 1 added: \`always\` gives \`true\`
          \`true\` instead of \`false\` for everyone
        new: flag added
          \`true\` for everyone
      "
    `)
    expect(await check("staging@nope", "production")).toMatchObject({
      status: 2,
      err: expect.stringContaining("no commit `nope`"),
    })
  })
  test("compares nothing of the two projects, and names a revision that lacks an environment", async () => {
    const { write, commit, promote, git } = shop({ cart: flagOf(always, always) })
    write("flags/project.yaml", "project: shop\nenvironments: [staging, production]\n")
    commit(1)
    write("flags/project.yaml", project)
    commit(2)
    git("rm", "-qr", "--cached", "flags")
    git("commit", "-qm", "none")
    const check = (from: string, to: string) => promote("--check", "--from", from, "--to", to)
    expect(await check("staging@HEAD~2", "production")).toMatchObject({
      status: 0,
      out: "staging@HEAD~2 → production\nNo change in behaviour\n",
    })
    for (const [from, to, message] of [
      [
        "development@HEAD~2",
        "production",
        "no environment `development` in HEAD~2. Known: `staging` and `production`.",
      ],
      ["staging", "development@HEAD~2", "no environment `development` in HEAD~2."],
      ["production@HEAD~2", "stagin", "no environment `stagin`; did you mean `staging`?"],
      ["production@HEAD", "production", "no environment `production` in HEAD."],
    ] as const)
      expect(await check(from, to)).toEqual({ status: 2, out: "", err: expect.stringContaining(message) })
  })
})
