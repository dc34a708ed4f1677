import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Ajv } from "ajv"
import Draft04 from "ajv-draft-04"
import { XMLParser, XMLValidator } from "fast-xml-parser"
import { describe, expect, test } from "vitest"
import { type LintOptions, runLint } from "../../../cli/commands/lint.ts"
import { codes } from "../../../cli/diagnostics/codes.ts"
import { createReport, wholeFile } from "../../../cli/diagnostics/diagnostic.ts"
import { readExplanations } from "../../../cli/diagnostics/explanations.ts"
import { formatSarif } from "../../../cli/diagnostics/format-sarif.ts"
import { type TestHostOptions, testHost } from "../../test-host.ts"

const project = "project: shop\nenvironments: [development, production]\n"

/** A project that has every kind of place: a span, two places, a whole file, a name and a text that attack terminals. */
const files = {
  "flags/project.yaml": project,
  "flags/misspelt.yaml": "nmae: 50 % off, really\ndefaultValue: 1.10\ntype: string\n",
  "flags/one.yaml": "defaultValue: false\n",
  "flags/sub/one.yaml": "defaultValue: false\nexpires: 2026-01-01\n",
  "flags/sub, 50%: <a&b>/two.yaml": '"\\e[31m\\n::error::injected": "]]>"\ndefaultValue: false\n',
  "flags/\u001b[31mred\n::error::\u009b\u202e.yaml": "defaultValue: false\n",
}

function folder(): string {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-formats-"))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  return cwd
}

async function lint(options: Partial<LintOptions>, host: TestHostOptions = {}) {
  const started = testHost({ cwd: folder(), ...host })
  const status = await runLint({ flags: "flags", ...options }, started)
  return { status, out: started.out(), err: started.err(), cwd: started.cwd }
}

/** All that could drive a terminal, but for line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const harmful = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/

const formats = ["text", "json", "github", "gitlab", "sarif", "junit"] as const

describe.each(formats)("%s", (format) => {
  test("says it all on stdout, harmlessly, and the sum on stderr", async () => {
    const { status, out, err } = await lint({ format })
    expect(status).toBe(1)
    expect(out).not.toMatch(harmful)
    expect(err).toBe("5 flags checked: 5 errors, 1 warning\n")
    for (const code of ["unknown-member", "unquoted-value", "duplicate-key", "expired", "bad-key"]) {
      expect(out).toContain(code)
    }
  })

  test("no mistakes", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "flagstone-formats-"))
    mkdirSync(join(cwd, "flags"))
    writeFileSync(join(cwd, "flags", "project.yaml"), project)
    const host = testHost({ cwd })
    expect(await runLint({ flags: "flags", format }, host)).toBe(0)
    const empty = { text: "", json: "[]\n", github: "", gitlab: "[]\n" }[format as string]
    if (empty === undefined) expect(host.out()).not.toBe("")
    else expect(host.out()).toBe(empty)
  })
})

describe("text", () => {
  test("both places of a mistake about two, each with its frame", async () => {
    const { out } = await lint({ format: "text" })
    expect(out).toContain("flags/sub/one.yaml:1:1 error duplicate-key\n  Two flags have the key `one`.")
    expect(out).toContain("\n  flags/one.yaml:1:1 The other is here.\n")
    expect(out).toContain("flags/misspelt.yaml:1:1 error unknown-member\n")
    expect(out).toContain("\n  1 | nmae: 50 % off, really\n    | ^^^^\n")
  })

  test.each([
    ["a terminal", {}, true, true],
    ["no terminal", {}, false, false],
    ["a terminal and NO_COLOR", { NO_COLOR: "1" }, true, false],
    ["a terminal and an empty NO_COLOR", { NO_COLOR: "" }, true, true],
    ["no terminal and FORCE_COLOR", { FORCE_COLOR: "1" }, false, true],
    ["a terminal and FORCE_COLOR=0", { FORCE_COLOR: "0" }, true, false],
    ["a dumb terminal", { TERM: "dumb" }, true, false],
  ])("colour: %s", async (_, env, stdout, colour) => {
    const { out } = await lint({ format: "text" }, { env, isTerminal: { stdout, stderr: false } })
    expect(out.includes("\u001b[31merror\u001b[39m")).toBe(colour)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours
    expect(out.replace(/\u001b\[\d+m/g, "")).not.toMatch(harmful)
  })
})

describe("github", () => {
  test("by itself inside GitHub Actions, with paths from the repository", async () => {
    const cwd = folder()
    const env = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: dirname(cwd) }
    const { out } = await lint({}, { cwd, env })
    const name = cwd.slice(dirname(cwd).length + 1)
    expect(out).toContain(
      `::error file=${name}/flags/misspelt.yaml,line=1,endLine=1,col=1,endColumn=4,title=unknown-member::Unknown member`,
    )
    expect(out).toContain(`file=${name}/flags/sub%2C 50%25%3A <a&b>/two.yaml,line=1`)
  })

  test("one line for each, whatever the files' names and texts", async () => {
    const { out } = await lint({ format: "github" })
    const lines = out.trimEnd().split("\n")
    expect(lines).toHaveLength(6)
    for (const line of lines) expect(line).toMatch(/^::(error|warning) file=flags\//)
  })
})

describe("gitlab", () => {
  // docs.gitlab.com, "Code Quality report format": these members are required, and each fingerprint is unique.
  const validate = new Ajv().compile({
    type: "array",
    items: {
      type: "object",
      required: ["description", "check_name", "fingerprint", "severity", "location"],
      properties: {
        description: { type: "string", minLength: 1 },
        check_name: { type: "string", minLength: 1 },
        fingerprint: { type: "string", pattern: "^[0-9a-f]{64}$" },
        severity: { enum: ["info", "minor", "major", "critical", "blocker"] },
        location: {
          type: "object",
          required: ["path", "lines"],
          properties: {
            path: { type: "string", pattern: "^(?![./])" },
            lines: {
              type: "object",
              required: ["begin"],
              properties: { begin: { type: "integer", minimum: 1 }, end: { type: "integer", minimum: 1 } },
              additionalProperties: false,
            },
          },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  })

  test("is a Code Quality report, from the repository's root inside GitLab CI", async () => {
    const cwd = folder()
    const env = { GITLAB_CI: "true", CI_PROJECT_DIR: dirname(cwd) }
    const report = JSON.parse((await lint({ format: "gitlab" }, { cwd, env })).out)
    expect(validate(report) ? [] : validate.errors).toEqual([])
    expect(report).toHaveLength(6)
    const name = cwd.slice(dirname(cwd).length + 1)
    const places = report.map(({ location }: { location: { path: string } }) => location.path)
    expect(places).toContain(`${name}/flags/sub, 50%: <a&b>/two.yaml`)
    expect(new Set(report.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size).toBe(6)
  })

  test("a mistake that only moved is still the same one, and two equal ones are two", async () => {
    const fingerprints = async (text: string) => {
      const cwd = mkdtempSync(join(tmpdir(), "flagstone-formats-"))
      mkdirSync(join(cwd, "flags"))
      writeFileSync(join(cwd, "flags", "project.yaml"), project)
      writeFileSync(join(cwd, "flags", "a.yaml"), text)
      const { out } = await lint({ format: "gitlab" }, { cwd })
      return JSON.parse(out).map(({ fingerprint }: { fingerprint: string }) => fingerprint)
    }
    const rules = "[{ operator: alwys, returnValue: true }]"
    const twice = `defaultValue: false\nenvironments:\n  development: { enabled: true, rules: ${rules} }\n  production: { enabled: true, rules: ${rules} }\n`
    const first = await fingerprints(twice)
    expect(new Set(first).size).toBe(2)
    expect(await fingerprints(`# moved\n${twice}`)).toEqual(first)
  })
})

describe("sarif", () => {
  // SARIF 2.1.0 errata 01, sarif-2.1/schema/ in github.com/oasis-tcs/sarif-spec; no well-kept package ships it.
  const schema = JSON.parse(readFileSync(join(import.meta.dirname, "sarif-schema-2.1.0.json"), "utf8"))
  const validate = new Draft04.default({ strict: false, validateFormats: false }).compile(schema)

  test("the log is valid by the schema of OASIS", async () => {
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
    const [unquoted] = log.runs[0].tool.driver.rules.filter(
      ({ id }: { id: string }) => id === "unquoted-value",
    )
    expect(unquoted.help.text).toContain("YAML")
  })

  test("each rule links to its section where the package names its repository", () => {
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
})

test("junit is XML with a case for each mistake", async () => {
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

test("warnings are findings only beyond --max-warnings", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-formats-"))
  mkdirSync(join(cwd, "flags"))
  writeFileSync(join(cwd, "flags", "project.yaml"), project)
  writeFileSync(join(cwd, "flags", "old.yaml"), "defaultValue: false\nexpires: 2026-01-01\n")
  expect((await lint({}, { cwd })).status).toBe(0)
  expect((await lint({ maxWarnings: 1 }, { cwd })).status).toBe(0)
  expect((await lint({ maxWarnings: 0 }, { cwd })).status).toBe(1)
})
