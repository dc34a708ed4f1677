import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runLint } from "../../../cli/commands/lint.ts"
import { testHost } from "../../test-host.ts"

const flagOf = (...rules: readonly string[]) =>
  `defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n${rules.map((rule) => `      - { ${rule}, returnValue: true }\n`).join("")}`
const exists = (attribute: string) => `attribute: ${attribute}, operator: exists`

/** The places and the first words of the warnings about similar attributes. */
async function warnings(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-attributes-"))
  mkdirSync(join(cwd, "flags"))
  const all = { "project.yaml": "project: shop\nenvironments: [production]\n", ...files }
  for (const [name, text] of Object.entries(all)) writeFileSync(join(cwd, "flags", name), text)
  const host = testHost({ cwd })
  await runLint({ flags: "flags", format: "json" }, host)
  const rows: { code: string; file: string; line: number; message: string }[] = JSON.parse(host.out())
  return rows
    .filter(({ code }) => code === "similar-attributes")
    .map(({ file, line, message }) => `${file}:${line} ${message.split("?")[0]}`)
}

describe("two similar names are probably one", () => {
  test.each([
    ["customerId", "customerID", true],
    ["os", "OS", true],
    ["country", "contry", true],
    ["country", "countryy", true],
    ["country", "countri", true],
    ["plan", "plans", true],
    ["os", "is", false],
    ["age", "ages", false],
    ["age", "aged", false],
    ["app", "apps", false],
    ["line1", "line2", false],
    ["line", "line2", false],
    ["v10", "v1", false],
    ["firstName", "lastName", false],
    ["country", "contri", false],
  ])("%s and %s: %s", async (one, other, isWarned) => {
    const found = await warnings({ "a.yaml": flagOf(exists(one), exists(other)) })
    expect(found).toEqual(isWarned ? [`flags/a.yaml:7 Is \`${other}\` the same attribute as \`${one}\``] : [])
  })
})

const rare = ["flags/b.yaml:6 Is `customerID` the same attribute as `customerId`"]

test("the rarer name is reported, once for all files that have it", async () => {
  const files = {
    "a.yaml": flagOf(exists("customerId")),
    "b.yaml": flagOf(exists("customerID")),
    "c.yaml": flagOf(exists("customerID")),
    "d.yaml": flagOf(exists("customerId")),
    "e.yaml": flagOf(exists("customerId")),
  }
  expect(await warnings(files)).toEqual(rare)
})

test("the rarer name is the one in fewer files, however often they use it", async () => {
  const split = (by: string) =>
    `split: { by: ${by}, into: [{ share: 1, returnValue: true }, { share: 2, returnValue: false }, { share: 3, returnValue: true }] }`
  const files = {
    "a.yaml": flagOf(exists("customerId")),
    "b.yaml": flagOf(split("customerID")).replaceAll(", returnValue: true }\n", " }\n"),
    "staff.segment.yaml": "attribute: customerId\noperator: exists\n",
  }
  expect(await warnings(files)).toEqual(rare)
})

test("if the project lists its attributes, its list decides", async () => {
  const project =
    "project: shop\nenvironments: [production]\nattributes: { customerId: {}, customerID: {} }\n"
  const files = { "project.yaml": project, "a.yaml": flagOf(exists("customerId"), exists("customerID")) }
  expect(await warnings(files)).toEqual([])
})
