import { expect, test } from "vitest"
import { formatSpan } from "../../../cli/publish/format.ts"

test.each([
  [-5, "0 s"],
  [59_400, "59 s"],
  [60_000, "1 min 0 s"],
  [3_599_000, "59 min 59 s"],
  [3_600_000, "1 h 0 min"],
  [172_800_000, "2 days"],
])("%d ms are %s", (milliseconds, text) => expect(formatSpan(milliseconds)).toBe(text))
