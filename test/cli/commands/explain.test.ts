import { expect, test } from "vitest"
import { importCodes } from "../../../cli/diagnostics/codes.ts"
import { run } from "../../../cli/program.ts"
import { testHost } from "../../test-host.ts"

test("explain prints the section of a code, and rejects any other", async () => {
  const host = testHost({})
  expect(await run(["explain", "bad-share"], host, "0.0.0")).toBe(0)
  expect(host.out()).toMatch(/^### `bad-share`\n\nA \[share\][\s\S]*```\n$/)
  expect(host.out()).not.toContain("### `bad-operand`")
  const misspelt = testHost({})
  expect(await run(["explain", "bad-shar"], misspelt, "0.0.0")).toBe(2)
  expect(misspelt.err()).toContain("did you mean `bad-share`?")
})

test("explain says what import loses, and what to do about it", async () => {
  const host = testHost({})
  expect(await run(["explain", "import-operator"], host, "0.0.0")).toBe(0)
  expect(host.out()).toBe(
    "### `import-operator`\n\nImport: cannot be expressed. For example: Unleash's `IN_CIDR`, or `caseInsensitive` with a `Σ`.\n\nWrite the rule with other operators, or send an attribute with the answer.\n",
  )
  for (const code of Object.keys(importCodes)) {
    const each = testHost({})
    expect(await run(["explain", code], each, "0.0.0")).toBe(0)
    expect(each.out()).toMatch(/For example: .{5,}\.\n\n.{10,}\n$/)
  }
  const misspelt = testHost({})
  await run(["explain", "import-operater"], misspelt, "0.0.0")
  expect(misspelt.err()).toContain("did you mean `import-operator`?")
})
