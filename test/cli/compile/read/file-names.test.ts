// @module-tag property
import fc from "fast-check"
import { expect, test } from "vitest"
import {
  hasCapitalEnding,
  hasPlainName,
  isSegmentPath,
  isSpecPath,
} from "../../../../cli/compile/read/file-names.ts"
import { isLeftover } from "../../../../cli/compile/read/ignored-files.ts"
import { isSourcePath } from "../../../../cli/compile/read/read.ts"
import { runs } from "../../../runs.ts"

const part = fc.constantFrom(
  ...[
    "readme",
    "CODEOWNERS",
    "Thumbs",
    "a",
    "Z",
    "9",
    "_",
    "-",
    ".",
    "..",
    "._",
    "#",
    ".#",
    "~",
    "/",
    "\\",
    "\n",
  ],
  ...[
    ".segment",
    ".SPEC",
    ".spec",
    ".yaml",
    ".yml",
    ".yaml.",
    ".YAML",
    ".new",
    ".bak",
    ".swp",
    ".md",
    ".db",
    " ",
    "é",
  ],
)
const path = fc.oneof(
  fc.array(part, { maxLength: 6 }).map((parts) => parts.join("")),
  fc
    .tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom("/a", "b", "_"))
    .map(([parts, end]) => `${parts.join("")}${end}.yaml`),
)

test("a plain name is none of the names that mean something else", () => {
  const seen = { plain: 0, other: 0 }
  fc.assert(
    fc.property(path, (path) => {
      seen[hasPlainName(path) ? "plain" : "other"]++
      if (!hasPlainName(path)) return
      expect([isSegmentPath, isSpecPath, hasCapitalEnding, isLeftover].filter((is) => is(path))).toEqual([])
    }),
    { numRuns: runs(5_000) },
  )
  expect(Math.min(seen.plain, seen.other)).toBeGreaterThan(runs(500))
})

test.each([
  ["a.yaml", true],
  ["team/a-1_b.yml", true],
  ["a.b.yaml", true],
  ["é.yaml", true],
  ["plans.segment.yaml", true],
  ["project.yaml", false],
  ["project.yml", false],
  ["team/project.yaml", true],
  ["a.spec.yaml", false],
  ["a.Segment.yaml", false],
  ["a.yaml.bak", false],
  ["._a.yaml", false],
  [".#a.yaml", false],
  ["a.json", false],
])("%s may be a flag file or a segment file: %s", (path, is) => expect(isSourcePath(path)).toBe(is))
