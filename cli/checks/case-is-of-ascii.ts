import { quoted } from "../diagnostics/suggest.ts"
import type { ComparisonCheck } from "./comparison.ts"

/** `ignoreCase` folds A to Z, so that all SDKs agree; any other letter matches only in its own case. */
export const caseIsOfAscii: ComparisonCheck = ({ source, condition, value, text, items }, report) => {
  if (!("ignoreCase" in condition)) return
  const texts = items.length > 0 ? items.map((item) => item.text) : [text]
  const letter = texts.flatMap((one) => [...one]).find((one) => one > "\x7f" && other(one) !== one)
  if (letter === undefined) return
  report.add({
    code: "case-beyond-ascii",
    message: `\`ignoreCase\` covers only A to Z, so ${quoted(letter)} does not match ${quoted(other(letter))}. To match both, use \`in\` with both spellings.`,
    source,
    span: value,
  })
}

/** A letter in the other case, or unchanged if it has none. */
function other(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
}
