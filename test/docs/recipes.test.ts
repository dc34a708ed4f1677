// @module-tag system
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { run } from "../../cli/program.ts"
import { type Context, createEvaluator } from "../../sdk/evaluation/evaluator.ts"
import { outsideGit, testHost } from "../test-host.ts"
import { blocksOf, readPage } from "./pages.ts"

// Each recipe is a project: its yaml blocks are flags and their segments, and its tables show who gets what. A table with `context`
// has one context in a row, and `flag` if there are several; a table with `share of …` shows how a thousand values of that attribute fall.

type Row = Readonly<Record<string, string>>

const recipes = readPage("docs/recipes.md")
  .text.split(/^(?=## )/m)
  .slice(1)
  .filter((section) => blocksOf(section).some(({ info }) => info !== ""))

test("the recipes are found", () => expect(recipes.length).toBeGreaterThan(6))

describe.each(recipes.map((text) => [text.slice(3, text.indexOf("\n")), text]))(
  "%s",
  async (_title, text) => {
    const files = blocksOf(text).filter(({ info }) => info !== "")
    const flag = files.find(({ info }) => !info.endsWith(".segment.yaml"))
    const key = basename(flag?.info ?? "", ".yaml")
    const cwd = mkdtempSync(join(tmpdir(), "flagstone-recipe-"))
    mkdirSync(join(cwd, "flags"))
    const project = "project: shop\nenvironments: [development, staging, production]\n"
    writeFileSync(join(cwd, "flags/project.yaml"), project)
    for (const { info, text } of files) {
      mkdirSync(join(cwd, dirname(info)), { recursive: true })
      writeFileSync(join(cwd, info), text)
    }

    const openEvaluator = async (environment: string) => {
      const { evaluate } = await createEvaluator(
        JSON.parse(readFileSync(join(cwd, "dist", `${environment}.json`), "utf8")),
      )
      return (context: Context, asked = key): string => {
        const evaluation = evaluate(asked, context)
        return evaluation.kind === "evaluated" ? `${evaluation.value}` : evaluation.kind
      }
    }

    const host = () => testHost({ cwd, git: outsideGit, env: { SOURCE_DATE_EPOCH: "1795255200" } })
    beforeAll(async () => {
      expect(await run(["build"], host(), "0.0.0")).toBe(0)
    })

    test("has no mistake and no warning", async () => {
      const linting = host()
      expect([await run(["lint", "--max-warnings", "0"], linting, "0.0.0"), linting.out()]).toEqual([0, ""])
    })

    const contexts = tablesOf(text).flatMap((rows) => rows.filter((row) => "context" in row))
    const shares = tablesOf(text).flatMap((rows) => rows.filter((row) => !("context" in row)))
    test("shows who gets what", () => expect(contexts.length + shares.length).toBeGreaterThan(0))

    test.each(contexts.map((row) => [Object.values(row)[0], row]))("%s", async (_who, row) => {
      const valueFor = await openEvaluator(row.environment ?? "production")
      expect(valueFor(JSON.parse(row.context ?? ""), row.flag)).toBe(row.gets)
    })

    test.each(shares.map((row) => [row.gets, row]))("the share that gets %s", async (gets, row) => {
      const valueFor = await openEvaluator("production")
      const [, attribute = "", share] =
        Object.entries(row)
          .map(([head, cell]) => /^share of (\w+)$/.exec(head)?.concat(cell))
          .find((found) => found !== undefined) ?? []
      const people = Array.from({ length: 4000 }, (_, index) => `${attribute}-${index}`)
      const got = people.filter((id) => valueFor({ [attribute]: id }) === gets).length
      expect(Math.abs((got / people.length) * 100 - Number.parseFloat(share ?? ""))).toBeLessThan(2)
    })
  },
)

/** The tables of a section, each row by its column heads, without the marks of inline code. */
function tablesOf(text: string): readonly (readonly Row[])[] {
  return [...text.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) => {
    const [heads = [], , ...rows] = table
      .trimEnd()
      .split("\n")
      .map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.replaceAll("`", "").trim()),
      )
    return rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [heads[index] ?? "", cell])))
  })
}
