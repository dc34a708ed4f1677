// @module-tag system
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { configured, plain, start, times, timesOf } from "./built-times.ts"

const group = (condition: string) =>
  configured(`{ enabled: true, rules: [{ all: [${condition}], returnValue: true }] }`)
const laidOutGroup = `defaultValue: false
environments:
  development: { enabled: true }
  production:
    enabled: true
    rules:
      - returnValue: true # for a
        all:
          - operator: "equals"
            value: 'a'
            attribute: x
`

describe("a section's time is that of the commit that changed its meaning", () => {
  test.each([
    ["nothing", plain, plain, [10, 10]],
    [
      "a comment, order and quotes",
      "name: A\ndefaultValue: false\n",
      "# a\ndefaultValue: false\n'name': \"A\"\n",
      [10, 10],
    ],
    ["owner, tags, expires", plain, `${plain}owner: me\ntags: [x]\nexpires: 2027-01-01\n`, [10, 10]],
    ["a default written out", plain, `${plain}name: a\ndescription: ""\ntype: boolean\nkey: a\n`, [10, 10]],
    ["the description", plain, `${plain}description: x\n`, [10, 20]],
    ["the id", plain, `${plain}id: x\n`, [10, 20]],
    [
      "the type, but for what stays the same under it",
      configured("{ enabled: true, rules: [{ operator: always, returnValue: b }] }", "type: string\n"),
      configured("{ enabled: true, rules: [{ operator: always, returnValue: b }] }", "type: json\n"),
      [10, 20, 10, 10],
    ],
    [
      "a member's order in JSON",
      "type: json\ndefaultValue: {a: 1, b: 2}\n",
      "type: json\ndefaultValue: {b: 2, a: 1.0}\n",
      [10, 10],
    ],
    [
      "an item's order in JSON",
      "type: json\ndefaultValue: [1, 2]\n",
      "type: json\ndefaultValue: [2, 1]\n",
      [10, 20],
    ],
    ["a configuration", configured("{ enabled: false }"), configured("{ enabled: true }"), [10, 10, 10, 20]],
    [
      "an anchor",
      configured("{ enabled: true }"),
      "defaultValue: false\nenvironments: { development: &x { enabled: true }, production: *x }\n",
      [10, 10, 10, 10],
    ],
    ["a new configuration", plain, configured("{ enabled: true }"), [10, 10, 20, 20]],
    ["a removed configuration", configured("{ enabled: true }"), plain, [10, 10]],
    [
      "the layout of a group",
      group("{ attribute: x, operator: equals, value: a }"),
      laidOutGroup,
      [10, 10, 10, 10],
    ],
    [
      "a condition deep in a group",
      group("{ any: [{ none: [{ attribute: x, operator: in, value: [a] }] }] }"),
      group("{ any: [{ none: [{ attribute: x, operator: in, value: [a, b] }] }] }"),
      [10, 10, 10, 20],
    ],
    [
      "a comparison that becomes a group of one",
      configured("{ enabled: true, rules: [{ attribute: x, operator: exists, returnValue: true }] }"),
      configured(
        "{ enabled: true, rules: [{ all: [{ attribute: x, operator: exists }], returnValue: true }] }",
      ),
      [10, 10, 10, 20],
    ],
    [
      "a text's indentation",
      `${plain}description: |\n  x\n  y\n`,
      `${plain}description: |-4\n    x\n    y\n`.replace("|-4", "|"),
      [10, 10],
    ],
  ] as const)("%s", async (_, before, after, expected) => {
    const repository = start(before)
    repository.write("flags/a.yaml", after)
    repository.commit(20)
    const [created, updated, development, production] = expected as readonly (number | undefined)[]
    expect(await timesOf(repository.folder)).toEqual(times(created, updated, development, production))
  })

  test("a change and its reversal count at the reversal", async () => {
    const repository = start(configured("{ enabled: false }"))
    repository.write("flags/a.yaml", configured("{ enabled: true }", "name: B\n"))
    repository.commit(20)
    repository.write("flags/a.yaml", configured("{ enabled: false }"))
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(10, 30, 10, 30))
  })

  test("a change of the project file moves nothing", async () => {
    const repository = start(configured("{ enabled: false }"))
    repository.write("flags/project.yaml", "project: other\nenvironments: [production, development]\n")
    repository.commit(20)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, 10, 10))
  })

  test("commits with equal and with backward times", async () => {
    const repository = start(configured("{ enabled: false }"))
    repository.write("flags/a.yaml", configured("{ enabled: true }"))
    repository.commit(5)
    repository.write("flags/b.yaml", plain)
    repository.commit(5)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, 10, 5))
    expect(await timesOf(repository.folder, "b")).toEqual(times(5, 5, undefined, undefined))
  })
})

describe("versions that could not be built", () => {
  test.each([
    ["no YAML", "defaultValue: ["],
    ["a list", "- 1\n"],
    ["empty", ""],
    ["no UTF-8", "latin1"],
    ["merge keys", "x: &x {defaultValue: true}\n<<: *x\n"],
    ["a billion letters", `x: &x "${"x".repeat(300_000)}"\ny: [${"*x, ".repeat(3_000)}]\n`],
    ["names of a billion letters", `x: &x {"${"x".repeat(300_000)}": 1}\ny: [${"*x, ".repeat(3_000)}]\n`],
  ])("%s: the flag keeps the meaning that it had", async (_, broken) => {
    const repository = start()
    if (broken === "latin1")
      writeFileSync(join(repository.folder, "flags/a.yaml"), Buffer.from("description: gr\xfcn\n", "latin1"))
    else repository.write("flags/a.yaml", broken)
    repository.commit(20)
    repository.write("flags/a.yaml", plain)
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, undefined, undefined))
  })

  test("through a move, too; and one that was broken from the start begins when it can be read", async () => {
    const repository = start()
    repository.remove("flags/a.yaml")
    repository.write("flags/x/a.yaml", "[")
    repository.write("flags/b.yaml", "[")
    repository.commit(20)
    repository.write("flags/x/a.yaml", plain)
    repository.write("flags/b.yaml", plain)
    repository.commit(30)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, undefined, undefined))
    expect(await timesOf(repository.folder, "b")).toEqual(times(30, 30, undefined, undefined))
  })

  test("a version that breaks today's rules is read as far as possible", async () => {
    const repository = start(`${configured("{ enabled: maybe, rules: 3 }")}unknown: 1\ntype: color\n`)
    repository.write("flags/a.yaml", configured("{ enabled: false }"))
    repository.commit(20)
    expect(await timesOf(repository.folder)).toEqual(times(10, 10, 10, 10))
  })
})

test("a merged change has the merge's time; earlier commits on the branch do not count", async () => {
  const repository = start(configured("{ enabled: false }"))
  repository.git("checkout", "-q", "-b", "branch")
  repository.write("flags/a.yaml", configured("{ enabled: true }"))
  repository.commit(20)
  repository.write("flags/b.yaml", plain)
  repository.commit(30)
  repository.git("checkout", "-q", "main")
  repository.write("flags/c.yaml", plain)
  repository.commit(25)
  repository.git("merge", "-q", "--no-ff", "--no-commit", "branch")
  repository.commit(40)
  expect(await timesOf(repository.folder)).toEqual(times(10, 10, 10, 40))
  expect(await timesOf(repository.folder, "b")).toEqual(times(40, 40, undefined, undefined))
  expect(await timesOf(repository.folder, "c")).toEqual(times(25, 25, undefined, undefined))
})
