// @module-tag system
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { expect, test } from "vitest"
import { blocksOf, readPage, root } from "./pages.ts"

test("an SDK's conformance answers the questions of docs/sdk-authors.md as the page says", () => {
  const blocks = blocksOf(readPage("docs/sdk-authors.md").text)
  const [questions, answers] = ["questions", "answers"].map(
    (info) => blocks.find((block) => block.info === info)?.text ?? `no ${info}`,
  )
  expect(execFileSync(join(root, "sdk/conformance"), { input: questions, encoding: "utf8" })).toBe(answers)
})
