// @module-tag system
import { Ajv } from "ajv"
import { expect, test } from "vitest"
import { runDiff } from "../../../../cli/commands/diff.ts"
import schema from "../../../../cli/diff/diff.schema.json" with { type: "json" }
import { createRepository } from "../../../repository.ts"
import { testHost } from "../../../test-host.ts"

const project = "project: p\nenvironments: [staging, production]\n"
const flag = (staging: string, production: string) =>
  `defaultValue: false\nenvironments:\n  staging: { enabled: true, rules: [${staging}] }\n  production: { enabled: true, rules: [${production}] }\n`
const using = (name: string) => `{ segment: ${name}, returnValue: true }`
const staff = 'attribute: email\noperator: endsWith\nvalue: "@a"\n'

/** The output of `diff` for a repository with three flags and two segments, after an edit. */
async function diffAfter(files: Readonly<Record<string, string | undefined>>) {
  const { folder, write, remove, commit, git } = createRepository()
  write("flags/project.yaml", project)
  write("flags/staff.segment.yaml", staff)
  write("flags/testers.segment.yaml", "any: [{ segment: staff }, { attribute: beta, operator: exists }]\n")
  write("flags/a.yaml", flag(using("staff"), using("staff")))
  write("flags/b.yaml", flag("", using("testers")))
  write("flags/c.yaml", flag("", '{ attribute: email, operator: endsWith, value: "@a", returnValue: true }'))
  write("flags/d.yaml", flag("", "{ operator: always, returnValue: false }"))
  commit(0)
  for (const [path, text] of Object.entries(files))
    if (text === undefined) remove(`flags/${path}`)
    else write(`flags/${path}`, text)
  git("add", "-A")
  const run = async (format: "text" | "json" | "markdown") => {
    const host = testHost({ cwd: folder })
    const status = await runDiff(undefined, undefined, { flags: "flags", format }, host)
    return { status, out: host.out(), err: host.err() }
  }
  const json = JSON.parse((await run("json")).out)
  const validate = new Ajv({ strict: false }).compile(schema)
  expect(validate(json), JSON.stringify(validate.errors)).toBe(true)
  return { text: await run("text"), json, markdown: (await run("markdown")).out }
}

test("a changed segment is listed once, with the number of flags whose values change, and then these flags", async () => {
  const { text, json, markdown } = await diffAfter({
    "staff.segment.yaml": 'attribute: email\noperator: endsWith\nvalue: "@b"\n',
  })
  expect(text.out).toContain(
    [
      "segments",
      "  segment staff: now users whose `email` ends with `@b`",
      "    1 flag in `staging` changes",
      "    2 flags in `production` change",
      "  segment testers: changes with segment `staff`",
      "    1 flag in `production` changes",
      "",
    ].join("\n"),
  )
  expect(text.out).toMatch(/^production\n {2}a: [\s\S]*\n {2}b: /m)
  expect(json.segments[0]).toEqual({
    segment: "staff",
    before: { attribute: "email", operator: "endsWith", value: "@a" },
    after: { attribute: "email", operator: "endsWith", value: "@b" },
    flags: { staging: ["a"], production: ["a", "b"] },
  })
  expect(json.changes.map(({ flag }: { flag: string }) => flag)).not.toContain("c")
  expect(text.out.match(/^ {2}[ab]: .*$/gm)).toEqual([
    "  a: rule 1: segment `staff` has changed",
    "  a: rule 1: segment `staff` has changed",
    "  b: rule 1: segment `testers` has changed",
  ])
  expect(json.changes.map(({ segments }: { segments?: readonly string[] }) => segments)).toEqual([
    ["staff"],
    ["staff"],
    ["testers"],
  ])
  expect(markdown).toContain("### Segments")
  expect(markdown).toContain("rule 1: segment `staff` has changed\n")
})

test("a rule that is edited while its segment changes shows both; a rule with a new segment is edited", async () => {
  const { text } = await diffAfter({
    "staff.segment.yaml": "attribute: role\noperator: equals\nvalue: staff\n",
    "a.yaml": flag("{ segment: staff, returnValue: false }", using("testers")),
  })
  expect(text.out.match(/^ {2}a.*$/gm)).toEqual([
    "  a: rule 1 edited: segment `staff` has changed, returnValue `true` → `false`",
    "  a: rule 1 edited: segment `staff` → segment `testers`",
  ])
})

test("a segment's description, and a condition that moves into one, are no change", async () => {
  const { text, json } = await diffAfter({
    "staff.segment.yaml": `description: Us.\n${staff}`,
    "c.yaml": flag("", using("staff")),
  })
  expect(json.changes).toEqual([])
  expect(json.segments).toBeUndefined()
  expect(text.out).toContain("No change in behaviour")
})

test("a change without effect weighs no more than a definition", async () => {
  const { json } = await diffAfter({
    "staff.segment.yaml": `all:\n  - { ${staff.trim().replaceAll("\n", ", ")} }\n`,
  })
  expect(json.changes.map(({ weight }: { weight: string }) => weight)).not.toContain("behaviour")
  expect(json.segments[0].flags).toEqual({})
})

test("a segment that is added or removed, and one that breaks", async () => {
  const come = await diffAfter({
    "new.segment.yaml": "attribute: beta\noperator: exists\n",
    "d.yaml": flag("", using("new")),
  })
  expect(come.text.out).toContain(
    "new segment new: users with any `beta`\n    1 flag in `production` changes\n",
  )
  const gone = await diffAfter({
    "testers.segment.yaml": undefined,
    "b.yaml": flag("", using("staff")),
  })
  expect(gone.text.out).toContain("segment testers: removed\n    1 flag in `production` changes\n")
}, 60_000)

test("a mistake in a segment is an error of the side, once", async () => {
  const { folder, write, commit } = createRepository()
  write("flags/project.yaml", project)
  write("flags/staff.segment.yaml", staff)
  write("flags/a.yaml", flag("", using("staff")))
  commit(0)
  write("flags/staff.segment.yaml", "attribute: email\noperator: matches\nvalue: (\n")
  const host = testHost({ cwd: folder })
  expect(await runDiff(undefined, undefined, { flags: "flags", format: "text" }, host)).toBe(2)
  expect(host.err().match(/bad-operand/g)).toHaveLength(1)
  commit(1)
  write("flags/staff.segment.yaml", staff)
  const repaired = testHost({ cwd: folder })
  const options = { flags: "flags", format: "text", tolerateBrokenBase: true } as const
  expect(await runDiff(undefined, undefined, options, repaired)).toBe(0)
  expect(repaired.out()).toContain("not compared\n  a: it had errors before the change")
  expect(repaired.out()).not.toContain("segment staff")
})
