import { expect, test } from "vitest"
import { type CellSource, createCellReader } from "../../../../cli/catalog/model/read-cell.ts"
import { plainPhrase } from "../../../../cli/phrases/phrase.ts"

const reached = { isReached: true, hits: 0, witness: "" }
const rule = (value: string, operator = "equals") =>
  `,"enabled":true,"rules":[{"id":"r","attribute":"plan","operator":"${operator}","value":"${value}","returnValue":true}]}`

const usual: CellSource = {
  flag: {
    ...{ id: "p/a", projectId: "p", key: "a", name: "a", description: "", type: "boolean" },
    ...{ defaultValue: false, createdAt: "", updatedAt: "" },
  },
  ...{ value: ',"type":"boolean","defaultValue":false}', environment: "live" },
  ...{ content: rule("pro"), lines: [3] },
}
const keyed = (key: string, more: Partial<CellSource> = {}): CellSource => {
  return { ...usual, ...more, flag: { ...usual.flag, key } }
}

/** What is said of both, by one reader. */
function read(one: CellSource, other: CellSource, tested: readonly string[] = []) {
  const readCell = createCellReader({ tested: new Set(tested), of: () => () => reached })
  return [readCell(one), readCell(other)] as const
}

test("cells that are written alike are one", () => {
  const [one, other] = read(usual, keyed("b"))
  expect(one).toBe(other)
  expect(one.isShared).toBe(true)
  expect(one.rules.map(({ words, line }) => [plainPhrase(words), line])).toEqual([
    ["people whose `plan` is `pro` get `true`", 3],
  ])
})

test.each<readonly [string, Partial<CellSource>]>([
  ["another environment", { environment: "test" }],
  ["another default value", { value: ',"type":"boolean","defaultValue":true}' }],
  ["another content", { content: rule("free") }],
  ["not configured", { content: undefined }],
  ["other lines", { lines: [4] }],
])("%s: another cell", (_, more) => {
  const [one, other] = read(usual, keyed("b", more))
  expect(other).not.toBe(one)
})

test.each<readonly [string, CellSource, readonly string[]]>([
  ["a share, which depends on the key", { ...usual, content: rule("5", "percentage") }, []],
  ["a flag with a spec", usual, ["a"]],
])("%s: a cell of its own", (_, source, tested) => {
  const [one, other] = read(source, source, tested)
  expect(other).not.toBe(one)
  expect(one.isShared).toBe(false)
})
