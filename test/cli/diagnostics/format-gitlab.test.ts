import { basename, dirname } from "node:path"
import { Ajv } from "ajv"
import { expect, test } from "vitest"
import { describeFormat, everyPlace, lint, projectWith } from "../../contracts/diagnostic-format.ts"

describeFormat("gitlab", "[]\n")

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
  const cwd = projectWith(everyPlace)
  const env = { GITLAB_CI: "true", CI_PROJECT_DIR: dirname(cwd) }
  const report = JSON.parse((await lint({ format: "gitlab" }, { cwd, env })).out)
  expect(validate(report) ? [] : validate.errors).toEqual([])
  expect(report).toHaveLength(6)
  const places = report.map(({ location }: { location: { path: string } }) => location.path)
  expect(places).toContain(`${basename(cwd)}/flags/sub, 50%: <a&b>/two.yaml`)
  expect(new Set(report.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size).toBe(6)
})

test("a mistake that only moved is still the same, and two equal ones are two", async () => {
  const fingerprints = async (text: string) => {
    const { out } = await lint({ format: "gitlab" }, { cwd: projectWith({ "flags/a.yaml": text }) })
    return JSON.parse(out).map(({ fingerprint }: { fingerprint: string }) => fingerprint)
  }
  const rules = "[{ operator: alwys, returnValue: true }]"
  const twice = `defaultValue: false\nenvironments:\n  development: { enabled: true, rules: ${rules} }\n  production: { enabled: true, rules: ${rules} }\n`
  const first = await fingerprints(twice)
  expect(new Set(first).size).toBe(2)
  expect(await fingerprints(`# moved\n${twice}`)).toEqual(first)
})
