import type { Edit, Span } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import type { Question } from "../language/question.ts"
import { rewriting } from "../reading/hints/quote.ts"
import { unseenIn } from "../yaml/odd-characters.ts"
import { type ComparisonCheck, type ListItem, rewritingOperand } from "./comparison.ts"

/** A string has no invisible blank at an end that must match an end of the attribute. */
export const textsHaveNoBlanksAround: ComparisonCheck = (comparison, report) => {
  const { source, row, value, text, items } = comparison
  const end = endChecked(row.question)
  if (end === undefined) return
  const check = (subject: string, one: string, span: Span, fixOf: (meant: string) => Edit | undefined) => {
    const blank = blankOf(one, end)
    if (blank === undefined || unseenIn(one) !== undefined) return
    const meant = trimmedAt(end, one)
    const advice =
      meant === "" || meant.length > longestShown ? "Remove it" : `Write ${JSON.stringify(meant)}`
    report.add({
      code: "surrounding-blank",
      message: `${subject} ${blank}, which must match too. ${advice}; if you mean it, use \`matches\`.`,
      source,
      span,
      fix: meant === "" ? undefined : fixOf(meant),
    })
  }
  if (!row.takesList) {
    check("This text", text, value, (meant) => rewritingOperand(comparison, meant))
    return
  }
  const trimAll = () => rewritingOperand(comparison, JSON.stringify(items.map(trimmed)))
  for (const { text: one, node } of items)
    if (node === undefined) check(`The item ${quoted(one)}`, one, value, trimAll)
    else check("This text", one, node, (meant) => rewriting(node, meant, source))
}

type End = "start" | "end" | "both"

/** At which ends of a string a blank is a mistake: `startsWith: "Mr "` and `contains: " "` are intentional. */
function endChecked(question: Question): End | undefined {
  if (question.kind === "texts") return "both"
  return question.kind === "part" && question.where !== "inside" ? question.where : undefined
}

const longestShown = 60

function blankOf(text: string, end: End): string | undefined {
  if (end !== "start" && /\n$/.test(text)) return "ends with a line break"
  if (end !== "start" && /\s$/.test(text)) return "ends with whitespace"
  return end !== "end" && /^\s/.test(text) ? "begins with whitespace" : undefined
}

/** Without the blanks that are a mistake. A text of blanks alone is empty. */
function trimmedAt(end: End, text: string): string {
  if (end === "both" || text.trim() === "") return text.trim()
  return end === "start" ? text.trimStart() : text.trimEnd()
}

function trimmed({ text }: ListItem): string {
  return text.trim() === "" ? text : text.trim()
}
