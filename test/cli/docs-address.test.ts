import { expect, test } from "vitest"
import { publicDocs } from "../../cli/docs-address.ts"

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
