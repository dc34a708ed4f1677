import { expect, test } from "vitest"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import type { SegmentChange } from "../../../../cli/diff/changes/segment-change.ts"
import { segmentReach, segmentWords } from "../../../../cli/diff/format/segment-rows.ts"

const staff = { kind: "comparison", attribute: "email", operator: "endsWith", operand: "@a" } as const
const edited: SegmentChange = { segment: "s", before: staff, after: staff, flags: {} }

test.each<readonly [string, Partial<SegmentChange>]>([
  ["now users whose `email` ends with `@a`", {}],
  ["removed", { after: null }],
  ["changes with segment `x`", { by: ["x"] }],
  ["changes with segments `x`, `y`", { by: ["x", "y"] }],
  ["`a.txt`: 2 added, 1 removed", { lists: [{ file: "a.txt", added: 2, removed: 1 }] }],
  [
    "changes with segment `x`; `a.txt`: 1 added; `b.txt`: 1 removed",
    {
      by: ["x"],
      lists: [
        { file: "a.txt", added: 1, removed: 0 },
        { file: "b.txt", added: 0, removed: 1 },
      ],
    },
  ],
])("%s", (words, change) => {
  expect(plainPhrase(segmentWords({ ...edited, ...change }))).toBe(words)
})

test.each<readonly [SegmentChange["flags"], readonly string[]]>([
  [{}, ["no one gets a different value"]],
  [
    { staging: ["a"], production: ["a", "b"] },
    ["1 flag in `staging` changes", "2 flags in `production` change"],
  ],
])("of the flags %j: %j", (flags, sentences) => {
  expect(segmentReach({ ...edited, flags }).map(plainPhrase)).toEqual(sentences)
})
