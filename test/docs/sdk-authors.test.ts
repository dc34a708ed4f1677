// @module-tag system
import { execFileSync } from "node:child_process"
import { readdirSync } from "node:fs"
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

const java = (artifact: string) => `sdk/java/flagstone-${artifact}/src/main/java/flagstone`

test.each([
  ["TypeScript", ["sdk/contract", "sdk/evaluation", "sdk/openfeature"], /^(.+)\.ts$/],
  ["Python", ["sdk/python/src/flagstone"], /^(.+\.py)$/],
  ["Go", ["sdk/go", "sdk/go/provider"], /^(.+(?<!_test)\.go)$/],
  ["Java", [java("evaluation"), `${java("openfeature")}/openfeature`], /^(\w+)\.java$/],
] as const)("the table of docs/sdk-authors.md has each file in %s", (language, folders, source) => {
  const [, section = ""] = readPage("docs/sdk-authors.md").text.split("## The same file in each language")
  const table =
    section
      .split("\n##")[0]
      ?.split("\n|")
      .map((row) => row.split("|")) ?? []
  const column = table[1]?.indexOf(` ${language} `) ?? 0
  const named = table.flatMap((row) => row[column]?.match(/(?<=[`/])[\w.-]+(?=`)/g) ?? [])
  const files = folders.flatMap((folder) => readdirSync(join(root, folder)))
  expect([...new Set(named)].sort()).toEqual(files.flatMap((file) => source.exec(file)?.[1] ?? []).sort())
})
