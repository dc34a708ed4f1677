import { XMLParser, XMLValidator } from "fast-xml-parser"
import { expect, test } from "vitest"
import { describeFormat, lint } from "../../contracts/diagnostic-format.ts"

describeFormat("junit")

test("XML with a case for each mistake", async () => {
  const { out } = await lint({ format: "junit" })
  expect(XMLValidator.validate(out)).toBe(true)
  const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(out)
  expect(testsuites["@_tests"]).toBe("6")
  expect(testsuites["@_failures"]).toBe("5")
  const cases: { failure?: object; "system-out"?: string }[] = testsuites.testsuite.testcase
  expect(cases.filter(({ failure }) => failure !== undefined)).toHaveLength(5)
  expect(cases.filter((one) => one["system-out"] !== undefined)).toHaveLength(1)
  expect(out).toMatch(/Two flags have the key [^<]*\n[^<\n]+:1:1 The other is here\.<\/failure>/)
})
