import { XMLParser, XMLValidator } from "fast-xml-parser"
import { expect, test } from "vitest"
import { runTest } from "../../../cli/commands/test.ts"
import { everyPlace, harmful, projectWith } from "../../contracts/diagnostic-format.ts"
import { testHost } from "../../test-host.ts"

test("XML with a case for each mistake, harmlessly", async () => {
  const host = testHost({ cwd: projectWith(everyPlace) })
  expect(await runTest({ flags: "flags", format: "junit" }, host)).toBe(1)
  expect(host.out()).not.toMatch(harmful)
  expect(XMLValidator.validate(host.out())).toBe(true)
  const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(host.out())
  expect(testsuites).toMatchObject({ "@_tests": "5", "@_errors": "5" })
  expect(host.out()).toMatch(/Two flags have the key [^<]*\n[^<\n]+:1:1 The other is here\.<\/error>/)
})
