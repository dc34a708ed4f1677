import { readFileSync } from "node:fs"
import { join } from "node:path"
import Draft04 from "ajv-draft-04"
import { expect, test } from "vitest"
import { codes } from "../../../cli/diagnostics/codes.ts"
import { createReport, wholeFile } from "../../../cli/diagnostics/diagnostic.ts"
import { readExplanations } from "../../../cli/diagnostics/explanations.ts"
import { formatSarif } from "../../../cli/diagnostics/format-sarif.ts"
import { describeFormat, lint } from "../../contracts/diagnostic-format.ts"

describeFormat("sarif")

// SARIF 2.1.0 errata 01, sarif-2.1/schema/ in github.com/oasis-tcs/sarif-spec; no well-kept package ships it.
const schema = JSON.parse(readFileSync(join(import.meta.dirname, "sarif-schema-2.1.0.json"), "utf8"))
const validate = new Draft04.default({ strict: false, validateFormats: false }).compile(schema)

test("the log is valid against the OASIS schema", async () => {
  const log = JSON.parse((await lint({ format: "sarif" })).out)
  expect(validate(log) ? [] : validate.errors).toEqual([])
  const [run] = log.runs
  expect(run.results).toHaveLength(6)
  for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId)
  const uris = run.results.map(
    (result: typeof run) => result.locations[0].physicalLocation.artifactLocation.uri,
  )
  for (const uri of uris) expect(uri).toMatch(/^[A-Za-z0-9._~!$&'()*+,;=:@/%-]+$/)
  expect(uris).toContain("flags/sub%2C%2050%25%3A%20%3Ca%26b%3E/two.yaml")
})

test("each rule brings its explanation, for readers who do not have Flagstone's pages", async () => {
  const log = JSON.parse((await lint({ format: "sarif" })).out)
  for (const { id, help, helpUri } of log.runs[0].tool.driver.rules) {
    expect(help.text.length, id).toBeGreaterThan(20)
    expect(help.text).not.toMatch(/```|^###|\]\(|docs\/diagnostics/m)
    expect(help.markdown).toMatch(/```console\n\$ flagstone /)
    expect(help.markdown).not.toMatch(/\]\(/) // a relative link leads nowhere there
    expect(helpUri, "while package.json names no repository, an address would be invented").toBeUndefined()
  }
  const [unquoted] = log.runs[0].tool.driver.rules.filter(({ id }: { id: string }) => id === "unquoted-value")
  expect(unquoted.help.text).toContain("YAML")
})

test("each rule links to its section if the package names its repository", () => {
  const explanations = readExplanations("git+https://git.example.com/team/flagstone.git")
  expect(explanations.get("duplicate-key")?.uri).toBe(
    "https://git.example.com/team/flagstone/blob/HEAD/docs/diagnostics.md#duplicate-key",
  )
  expect([...explanations.keys()].toSorted()).toEqual(Object.keys(codes).toSorted())
  const source = { path: "/flags/a.yaml", text: "" }
  const report = createReport()
  report.add({ code: "duplicate-key", message: "m", source, span: wholeFile })
  const log = JSON.parse(formatSarif(report.diagnostics, "/", explanations))
  expect(validate(log) ? [] : validate.errors).toEqual([])
  expect(log.runs[0].tool.driver.rules[0].helpUri).toBe(explanations.get("duplicate-key")?.uri)
})

test("a certain fix is a fix", async () => {
  const log = JSON.parse((await lint({ format: "sarif" })).out)
  const fixes = log.runs[0].results.flatMap((result: { fixes?: object[] }) => result.fixes ?? [])
  expect(fixes).toContainEqual({
    artifactChanges: [
      {
        artifactLocation: { uri: "flags/misspelt.yaml", uriBaseId: "%SRCROOT%" },
        replacements: [
          {
            deletedRegion: { startLine: 2, startColumn: 15, endLine: 2, endColumn: 19 },
            insertedContent: { text: '"1.10"' },
          },
        ],
      },
    ],
  })
})
