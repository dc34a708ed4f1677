import { expect, test } from "vitest"
import { describeFormat, lint, projectWith } from "../../contracts/diagnostic-format.ts"

describeFormat("json", "[]\n")

test("an object for each mistake, with both places of a mistake about two", async () => {
  const cwd = projectWith({
    "flags/one.yaml": "defaultValue: false\n",
    "flags/sub/one.yaml": "defaultValue: 1.10\ntype: string\n",
  })
  const place = { line: 1, column: 1, endLine: 1, endColumn: 1 }
  expect(JSON.parse((await lint({ format: "json" }, { cwd })).out)).toEqual([
    {
      ...{ file: "flags/sub/one.yaml", ...place, severity: "error", code: "duplicate-key" },
      message: expect.stringContaining("Two flags have the key `one`."),
      related: [{ file: "flags/one.yaml", ...place, message: "The other is here." }],
    },
    {
      ...{ file: "flags/sub/one.yaml", line: 1, column: 15, endLine: 1, endColumn: 19 },
      ...{ severity: "error", code: "unquoted-value", message: expect.any(String), related: [] },
    },
  ])
})
