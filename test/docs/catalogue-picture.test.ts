// @module-tag system
// @module-tag slow
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { chromium } from "../browser.ts"
import { drawCatalogue, picture, shownFile } from "./catalogue-picture.ts"
import { readPage } from "./pages.ts"

test.skipIf(chromium === undefined)("docs/catalogue.webp shows the page as it is", async () => {
  const { shown } = await drawCatalogue()
  expect(shown, "redraw it: node test/docs/catalogue-picture.ts").toBe(readFileSync(shownFile, "utf8"))
})

test("docs/catalogue.md has the picture, which is small", () => {
  expect(readPage("docs/catalogue.md").text).toMatch(/!\[[^\]]{40,}\]\(catalogue\.webp\)/) // and the words in it
  const image = readFileSync(picture)
  expect(image.toString("latin1", 8, 12)).toBe("WEBP")
  expect(image.length).toBeLessThan(100_000)
})
