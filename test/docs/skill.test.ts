import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { readPage, root } from "./pages.ts"

const path = "skills/flagstone/SKILL.md"
const { text } = readPage(path)

test("the skill is short, has a name and a description, and is in the package", () => {
  expect(text.split("\n").length - 1).toBeLessThanOrEqual(120)
  expect(text).toMatch(/^---\nname: flagstone\ndescription: .{50,1024}\n---\n/)
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  expect(files).toContain("skills")
})
