import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { losses, refuseCodes } from "../../../cli/import/form/losses.ts"

test("docs/import.md lists every loss with its verdict", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/import.md"), "utf8")
  const rows = [...page.matchAll(/^\| `(import-[a-z-]+)` \| `([^|]+)` \| [^|]+ \|$/gm)]
  expect(rows.map(([, code, verdict]) => [code, verdict])).toEqual(
    Object.entries(losses).map(([code, [verdict]]) => [code, verdict]),
  )
})

test("every loss says what to do", () => {
  for (const [, advice] of Object.values(losses)) expect(advice).toMatch(/^[A-Z].{20,}\.$/)
})

test("what cannot be expressed cannot be accepted", () => {
  expect(() => refuseCodes(["import-context-mistyped", "import-operator"])).toThrow(
    "import-operator cannot be accepted, because flags that have it cannot be written; --skip leaves them out",
  )
  expect(() => refuseCodes(["import-nothing"])).toThrow(
    "unknown code import-nothing: docs/import.md lists them all",
  )
})
