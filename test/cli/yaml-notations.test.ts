// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import { createReport } from "../../cli/diagnostics/diagnostic.ts"
import { toValue } from "../../cli/language/tree.ts"
import { parseSource } from "../../cli/yaml/parse.ts"
import { runs } from "../runs.ts"
import { notations } from "./yaml-notations.ts"

const word = fc.constantFrom("flag", "key", "a", "it's a list.txt", "x/y", "true", "real-key")
const value = fc.letrec<{ value: null | boolean | number | string | object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(word, fc.boolean(), fc.constantFrom(1, null)),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(word, tie("value"), { maxKeys: 3 }),
  ),
})).value

test("a value is the same in every notation", () => {
  fc.assert(
    fc.property(value, notations, (value, write) => {
      const report = createReport()
      const json = JSON.parse(JSON.stringify(value))
      const tree = parseSource({ path: "/x.yaml", text: write(json) }, report)
      expect(tree ? toValue(tree.root) : report.diagnostics).toEqual(json)
    }),
    { numRuns: runs(3_000) },
  )
})
