import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { headingsOf, pages, root } from "./pages.ts"

/** A question, the heading below which it is answered, and a part of the answer. */
interface Question {
  readonly ask: string
  readonly at: string
  readonly says: string
}

const groups: Readonly<Record<string, readonly Question[]>> = parse(
  readFileSync(join(root, "test/docs/questions.yaml"), "utf8"),
)
const questions = Object.values(groups).flat()

test("every question is asked once", () => {
  expect(questions.length).toBeGreaterThanOrEqual(120)
  expect(new Set(questions.map(({ ask }) => ask)).size).toBe(questions.length)
})

test("every question is answered where the list says", () => {
  expect(questions.filter((question) => !isAnswered(question))).toEqual([])
})

test("every page answers a question", () => {
  const answering = new Set(questions.map(({ at }) => at.split("#")[0]))
  const pagesOfUsers = pages.filter(({ path }) => /^(README|docs\/)/.test(path))
  expect(pagesOfUsers.filter(({ path }) => !answering.has(path)).map(({ path }) => path)).toEqual([])
})

/** The section reaches to the next heading of its own level or above; below a page's title, to the first heading. */
function isAnswered({ at, says }: Question): boolean {
  const [path = "", anchor] = at.split("#")
  const text = pages.find((page) => page.path === path)?.text ?? ""
  const headings = headingsOf(text)
  const index = headings.findIndex((heading) => heading.anchor === anchor)
  const heading = headings[index]
  if (heading === undefined) return false
  const end = headings.slice(index + 1).find(({ level }) => heading.level === 1 || level <= heading.level)
  return text.slice(heading.start, end?.start).replaceAll(/\s+/g, " ").includes(says)
}
