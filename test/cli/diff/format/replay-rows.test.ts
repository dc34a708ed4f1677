import { expect, test } from "vitest"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import { replaySummary } from "../../../../cli/diff/format/replay-rows.ts"

test.each([
  [1, 1, 0, "1 of 1 context of `a.jsonl` gets a different value"],
  [
    2,
    0,
    1,
    "0 of 2 contexts of `a.jsonl` get a different value; 1 depends on an operator that only the project's SDKs support",
  ],
])("of %d contexts, %d get a different value and %d are unknown", (count, affected, unknown, words) =>
  expect(plainPhrase(replaySummary({ file: "a.jsonl", count, affected, unknown, steps: [] }))).toBe(words),
)
