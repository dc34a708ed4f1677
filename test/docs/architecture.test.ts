import { existsSync, readdirSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { expect, test } from "vitest"
import { blocksOf, readPage, root } from "./pages.ts"

/** Every path in the page's tree: each line is a name and what it is, two spaces deeper than its folder. */
const tree = blocksOf(readPage("docs/architecture.md").text.split("\n## The tree\n")[1] ?? "")[0]
const paths: string[] = []
for (const line of tree?.text.split("\n") ?? []) {
  const [, indent = "", name] = /^( *)(\S+)/.exec(line) ?? []
  if (name === undefined) continue
  const parents = indent.length / 2
  const parent =
    parents === 0
      ? ""
      : (paths.findLast((path) => path.endsWith("/") && path.split("/").length === parents + 1) ?? "")
  paths.push(parent + name)
}

test("the tree of the architecture names only what exists", () => {
  expect(paths.length).toBeGreaterThan(50)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test("the tree of the architecture names every folder", () => {
  const rooms = ["cli", "proxy", "sdk"].flatMap((house) =>
    readdirSync(join(root, house), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => `${relative(root, join(parentPath, name)).replaceAll(sep, "/")}/`),
  )
  // Python leaves caches where it runs, and Maven says which folders a project has.
  const sources = rooms.filter((room) => !/\/[._]|^sdk\/java\/(?:.*\/)?(?:src|target)\//.test(room))
  expect(sources.filter((room) => !paths.includes(room))).toEqual([])
})
