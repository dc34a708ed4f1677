import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { runAttributes } from "../../../cli/commands/attributes.ts"
import { runLint } from "../../../cli/commands/lint.ts"
import { testHost } from "../../test-host.ts"

/** A project with these files below `flags`. */
function projectOf(files: Readonly<Record<string, string>>): string {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-attributes-"))
  const all = { "project.yaml": "project: shop\nenvironments: [production]\noperators: [isNear]\n", ...files }
  for (const [name, text] of Object.entries(all)) {
    const path = join(cwd, "flags", name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return cwd
}

const flagOf = (...rules: readonly string[]) =>
  `defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n${rules.map((rule) => `      - { ${rule} }\n`).join("")}`

async function attributes(cwd: string) {
  const host = testHost({ cwd })
  const status = await runAttributes({ flags: "flags" }, host)
  return { status, out: host.out(), err: host.err() }
}

const everywhere = {
  "people/staff.segment.yaml": 'attribute: email\noperator: endsWith\nvalue: "@a"\n',
  "people/beta.segment.yaml":
    "any: [{ segment: staff }, { attribute: isTester, operator: equals, value: 'true' }]\n",
  "people/nobody.segment.yaml": "attribute: height\noperator: lessThan\nvalue: '0'\n",
  "invariants.yaml": `- name: Who has a
  if: { flag: a }
  then: { any: [{ segment: beta }, { attribute: age, operator: greaterThan, value: "17" }] }
`,
  "a.yaml": flagOf("segment: beta, returnValue: true"),
  "b.yaml": flagOf(
    "split: { by: customerId, into: [{ share: 10, returnValue: true }, { share: 5, returnValue: false }] }",
  ),
  "c.yaml": flagOf(
    "segment: staff, returnValue: true",
    "attribute: deviceId, operator: percentage, value: '10', returnValue: true",
    "all: [{ none: [{ attribute: app, operator: semverLessThan, value: '2.0' }] }], split: { by: customerId, into: [{ share: 10, returnValue: true }] }",
    "attribute: client, operator: in, value: [V1.2, v2.0], ignoreCase: true, returnValue: true",
    "attribute: client, operator: semverLessThan, value: '2.0', returnValue: true",
    "attribute: isGuest, operator: equals, value: 'True', ignoreCase: true, returnValue: true",
    "attribute: place, operator: isNear, value: x, returnValue: true",
    "attribute: score, operator: greaterThan, value: '1', returnValue: true",
    "attribute: score, operator: in, value: [low, '2'], returnValue: true",
    "attribute: 'no: #plain', operator: before, value: '2026-12-01T00:00:00Z', returnValue: true",
  ),
}

test("lists what rules, segments, splits and invariants use, and by how many flags", async () => {
  expect(await attributes(projectOf(everywhere))).toEqual({
    status: 0,
    err: "",
    out: [
      "attributes:",
      "  age: { type: number } # 0 flags",
      "  app: { type: version } # 1 flag",
      "  client: { type: version } # 1 flag",
      "  customerId: { type: text } # 2 flags",
      "  deviceId: { type: text } # 1 flag",
      "  email: { type: text } # 2 flags",
      "  height: { type: number } # 0 flags",
      "  isGuest: { type: boolean } # 1 flag",
      "  isTester: { type: boolean } # 1 flag",
      '  "no: #plain": { type: moment } # 1 flag',
      "  place: {} # 1 flag",
      "  score: {} # 1 flag",
      "",
    ].join("\n"),
  })
})

test("pasted into the project file, it leaves nothing unknown, in unused segments and invariants either", async () => {
  const cwd = projectOf(everywhere)
  const { out } = await attributes(cwd)
  appendFileSync(join(cwd, "flags/project.yaml"), out)
  const host = testHost({ cwd })
  expect(await runLint({ flags: "flags" }, host), host.out()).toBe(0)
  expect(await attributes(cwd)).toEqual({ status: 0, err: replace, out })
})

/** Appended to a project file that has `attributes`, the lines would make it unreadable. */
const replace = "project.yaml already has `attributes`: add only those that it lacks\n"

test("what the project file does not list yet is listed; other mistakes are reported, and the exit status is 1", async () => {
  const project = "project: shop\nenvironments: [production]\nattributes: { email: {} }\n"
  const cwd = projectOf({ ...everywhere, "project.yaml": `${project}operators: [isNear]\n` })
  expect(await attributes(cwd)).toMatchObject({ status: 0, err: replace })
  writeFileSync(join(cwd, "flags/d.yaml"), flagOf("segment: nowhere, returnValue: true"))
  const { status, err } = await attributes(cwd)
  expect(status).toBe(1)
  expect(err).toContain("Unknown segment `nowhere`")
  expect(err).toContain("1 error: some rules may be missing\n")
})

test("without a sound project file the exit status is 2", async () => {
  const { status, out, err } = await attributes(projectOf({ "project.yaml": "project: shop\n" }))
  expect({ status, out }).toEqual({ status: 2, out: "" })
  expect(err).toContain("`environments` is missing")
})
