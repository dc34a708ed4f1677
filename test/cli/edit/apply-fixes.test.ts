import { expect, test } from "vitest"
import type { Diagnostic, Edit } from "../../../cli/diagnostics/diagnostic.ts"
import { applyFixes } from "../../../cli/edit/apply-fixes.ts"

const source = { path: "a.yaml", text: "0123456789" }

function diagnostic(fix: Edit | undefined, from = source): Diagnostic {
  const location = { source: from, span: { start: 0, end: 1 } }
  return { code: "unknown-field", severity: "error", message: "", location, related: [], fix }
}

test.each<readonly [string, readonly (readonly [number, number, string])[], string, number]>([
  [
    "in any order",
    [
      [8, 9, "z"],
      [0, 2, "a"],
    ],
    "a234567z9",
    2,
  ],
  [
    "that touch",
    [
      [2, 4, "b"],
      [0, 2, "a"],
    ],
    "ab456789",
    2,
  ],
  [
    "that overlap: the first",
    [
      [3, 6, "b"],
      [2, 4, "a"],
      [6, 7, ""],
    ],
    "01a45789",
    2,
  ],
  [
    "that begin alike: the longer",
    [
      [2, 4, "a"],
      [2, 6, "b"],
    ],
    "01b6789",
    1,
  ],
])("fixes %s", (_, edits, text, fixes) => {
  const diagnostics = edits.map(([start, end, text]) => diagnostic({ start, end, text }))
  expect(applyFixes(diagnostics)).toEqual([{ read: source, source: { ...source, text }, fixes }])
})

test("each file has its fixes, and one without any is left out", () => {
  const [b, c] = ["b.yaml", "c.yaml"].map((path) => ({ ...source, path }))
  const edit = { start: 0, end: 1, text: "x" }
  const fixed = applyFixes([diagnostic(undefined, c), diagnostic(edit, b), diagnostic(edit)])
  expect(fixed.map(({ source }) => source.path)).toEqual(["b.yaml", "a.yaml"])
})
