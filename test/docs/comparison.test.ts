import { expect, test } from "vitest"
import { readPage } from "./pages.ts"

const { text } = readPage("docs/comparison.md")

test("every cell about a product links to its source, and no source is without a cell", () => {
  const sources = new Map(
    [...text.matchAll(/^\[([\w-]+)\]: (https:\S+)$/gm)].map(([, name, url]) => [name, url]),
  )
  const cells = text
    .split("\n")
    .filter((line) => /^\| \S/.test(line))
    .flatMap((line) => line.split("|").slice(2, -1))
    .map((cell) => cell.trim())
    .filter(
      (cell) =>
        /[a-z]/.test(cell) &&
        !/^(Flagstone|Featurevisor|Flipt v2|GO Feature Flag|flagd|Unleash|LaunchDarkly)$/.test(cell),
    )
  expect(cells.length).toBeGreaterThan(50)
  expect(cells.filter((cell) => !/^\[[^\]]+\][[(]/.test(cell))).toEqual([])
  const used = [...text.matchAll(/\]\[([\w-]+)\]/g)].map(([, name]) => name)
  expect(new Set(used)).toEqual(new Set(sources.keys()))
})
