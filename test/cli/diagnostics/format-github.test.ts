import { basename, dirname } from "node:path"
import { expect, test } from "vitest"
import { describeFormat, everyPlace, lint, projectWith } from "../../contracts/diagnostic-format.ts"

describeFormat("github", "")

test("by default inside GitHub Actions, with paths from the repository", async () => {
  const cwd = projectWith(everyPlace)
  const env = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: dirname(cwd) }
  const { out } = await lint({}, { cwd, env })
  expect(out).toContain(
    `::error file=${basename(cwd)}/flags/misspelt.yaml,line=1,endLine=1,col=1,endColumn=4,title=unknown-field::Unknown field`,
  )
  expect(out).toContain(`file=${basename(cwd)}/flags/sub%2C 50%25%3A <a&b>/two.yaml,line=1`)
})

test("one line for each, whatever the files' names and contents", async () => {
  const { out } = await lint({ format: "github" })
  const lines = out.trimEnd().split("\n")
  expect(lines).toHaveLength(6)
  for (const line of lines) expect(line).toMatch(/^::(error|warning) file=flags\//)
})
