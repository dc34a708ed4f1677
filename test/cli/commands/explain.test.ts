import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
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

test("test runs the spec files that are named, and suggests cases for the flags that are named", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-named-"))
  mkdirSync(join(cwd, "flags"))
  const write = (name: string, text: string) => writeFileSync(join(cwd, "flags", name), text)
  write("project.yaml", "project: shop\nenvironments: [production]\n")
  const rule = "{ attribute: plan, operator: equals, value: pro, returnValue: true }"
  for (const key of ["a", "b", "c"]) {
    write(
      `${key}.yaml`,
      `defaultValue: false\nenvironments: { production: { enabled: true, rules: [${rule}] } }\n`,
    )
    write(
      `${key}.spec.yaml`,
      `flag: ${key}\ncases: [{ environment: production, context: {}, expect: ${key === "a"} }]\n`,
    )
  }
  const flagstone = async (...args: readonly string[]) => {
    const host = testHost({ cwd })
    return { status: await run(["test", ...args], host, "0.0.0"), out: host.out(), err: host.err() }
  }
  expect((await flagstone("flags/b.spec.yaml")).err).toContain("1 case of 1 spec passed")
  expect((await flagstone("flags/a.spec.yaml")).status).toBe(1)
  expect(await flagstone("flags/b.spec.yaml", "flags/a.spec.yaml")).toMatchObject({
    status: 1,
    err: expect.stringContaining("2 cases of 2 specs: 1 failed"),
  })
  expect((await flagstone("flags/none.spec.yaml")).err).toContain("no spec file `flags/none.spec.yaml`")
  expect((await flagstone("--suggest", "b", "c")).out).toMatch(
    /^# flags\/b\.spec\.yaml\n(?!#)[\s\S]*\n# flags\/c\.spec\.yaml\n/,
  )
  expect((await flagstone("--suggest", "none")).err).toContain("no flag `none`")
  expect(readdirSync(join(cwd, "flags"))).toHaveLength(7)
})
