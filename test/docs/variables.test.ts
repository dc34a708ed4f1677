import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { optionVariables } from "../option-variables.ts"
import { readPage, root } from "./pages.ts"

const page = "docs/command-line.md"

test("every variable whose name is not its option's is listed", async () => {
  const { text } = readPage(page)
  const list = /(?<=include the command:\n\n).*/
  expect(text).toMatch(list)
  const exceptions = optionVariables.filter(
    ({ variable, option }) => variable !== `FLAGSTONE_${option.slice(2).toUpperCase().replaceAll("-", "_")}`,
  )
  const names = exceptions.map(({ variable }) => `\`${variable}\``).sort()
  await expect(text.replace(list, `${names.join(", ")}.`)).toMatchFileSnapshot(join(root, page))
})

test("every variable that code reads by its name is on the page", () => {
  const { text } = readPage(page)
  const names = ["cli", "proxy"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .flatMap((path) => readFileSync(join(root, folder, path), "utf8").match(/\benv\.FLAGSTONE_\w+/g) ?? []),
  )
  expect(names.length).toBeGreaterThan(3)
  for (const name of names) expect(text).toContain(`\`${name.slice("env.".length)}\``)
})
