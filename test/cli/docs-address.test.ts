import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { installedDocs, publicDocs } from "../../cli/docs-address.ts"

test.each([
  "git+https://git.example/team/flagstone.git",
  "https://git.example/team/flagstone.git/",
  "https://git.example/team/flagstone/",
  "https://git.example/team/flagstone",
])("a section of a page in the repository %s", (repository) => {
  expect(publicDocs("docs/flag-files.md", repository)?.("rules")).toBe(
    "https://git.example/team/flagstone/blob/HEAD/docs/flag-files.md#rules",
  )
})

test("a section of an installed page is a line of its file", () => {
  const link = installedDocs("docs/command-line.md")
  const [address = "", line] = link?.("which-nodejs").split("#L") ?? []
  const lines = readFileSync(fileURLToPath(address), "utf8").split("\n")
  expect(lines[Number(line) - 1]).toMatch(/^##+ Which Node\.js\??$/)
  expect(link?.("no-such-section")).toBe(`${address}#L0`)
  expect(installedDocs("docs/none.md")).toBeUndefined()
})
