// @module-tag system
import { expect, test } from "vitest"
import { checksum } from "../../../proxy/contract/api-key.ts"
import { secretPrefix } from "../../../proxy/contract/secret-form.ts"
import { createProjectRepository } from "../../repository.ts"

// CI's logs have more readers than the repository: a diagnostic shows no secret of ours, whichever command prints it.

const start = `${secretPrefix}${"Ab3".repeat(15).slice(0, 43)}`
const secret = start + checksum(start)

/** A mistake whose line has the secret, and one whose message has it. */
const mistaken = `defaultValue: ${secret}\n${secret}: 1\n`

test.each([
  ["lint", ["lint"]],
  ["lint for programs", ["lint", "--format", "json"]],
  ["lint for GitHub", ["lint", "--format", "github"]],
  ["lint for GitLab", ["lint", "--format", "gitlab"]],
  ["lint for code scanning", ["lint", "--format", "sarif"]],
  ["build", ["build", "--out", "dist"]],
  ["test", ["test"]],
  ["test for GitHub", ["test", "--format", "github"]],
  ["test for JUnit", ["test", "--format", "junit"]],
  ["test for programs", ["test", "--format", "json"]],
  ["diff", ["diff", "HEAD"]],
  ["evaluate", ["evaluate", "a", "--environment", "staging"]],
  ["stale", ["stale"]],
  ["promote", ["promote", "a", "--from", "staging", "--to", "production"]],
  ["promote --check", ["promote", "--check", "--from", "staging", "--to", "production"]],
  ["set", ["set", "a", "--in", "staging", "--everyone", "true"]],
  ["remove", ["remove", "a", "--task-only"]],
  ["attributes", ["attributes"]],
  ["codegen", ["codegen", "types"]],
  ["catalog", ["catalog", "--out", "out.html"]],
])("%s shows no secret with a mistake", async (_, args) => {
  const { write, commit, flagstone } = createProjectRepository()
  commit(0)
  write("flags/a.yaml", mistaken)
  const { out, err } = await flagstone(args)
  expect(`${out}${err}`).toMatch(/unknown-field|wrong-value-type/)
  expect(`${out}${err}`).not.toContain(secret)
})

test.each([
  ["import", ["import", "flagd", "a.json"]],
  ["schema", ["schema"]],
])("%s shows no secret with a mistake of the project file", async (_, args) => {
  const { write, flagstone } = createProjectRepository()
  write("flags/project.yaml", `project: shop\nenvironments: [staging]\n${secret}: 1\n`)
  write("a.json", '{"flags":{"a":{"state":"ENABLED","variants":{"on":true},"defaultVariant":"on"}}}')
  const { out, err } = await flagstone(args)
  expect(`${out}${err}`).toContain("unknown-field")
  expect(`${out}${err}`).not.toContain(secret)
})

test.each(["text", "github", "junit"])("test shows no secret of a case that fails, as %s", async (format) => {
  const { write, flagstone } = createProjectRepository()
  write("flags/a.yaml", "defaultValue: true\nenvironments: { staging: { enabled: true } }\n")
  const given = `{ environment: staging, context: { token: ${secret} }, expect: false }`
  write("flags/a.spec.yaml", `flag: a\ncases: [${given}]\n`)
  const { status, out, err } = await flagstone(["test", "--format", format])
  expect(status).toBe(1)
  expect(`${out}${err}`).not.toContain(secret)
})
