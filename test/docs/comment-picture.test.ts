// @module-tag system
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { picture, readComment, shownFile } from "./comment-picture.ts"
import { readPage } from "./pages.ts"

test("docs/comment.webp shows what diff writes", async () => {
  expect(await readComment(), "redraw it: node test/docs/comment-picture.ts").toBe(
    readFileSync(shownFile, "utf8"),
  )
})

test("the README begins with the pictures, and describes them in words", () => {
  const [first = ""] = readPage("README.md").text.split("\n## ")
  for (const file of ["comment", "catalogue"])
    expect(first).toMatch(new RegExp(`!\\[[^\\]]{40,}\\]\\(docs/${file}\\.webp\\)`))
  const image = readFileSync(picture)
  expect(image.toString("latin1", 8, 12)).toBe("WEBP")
  expect(image.length).toBeLessThan(100_000)
})
