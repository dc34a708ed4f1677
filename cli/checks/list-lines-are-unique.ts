import type { Report, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import { plural } from "../diagnostics/plural.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { type ListLine, listLines } from "../reading/list-file.ts"

/** A list has lines, and each of them once. All repeated lines are one mistake, with one fix. */
export function listLinesAreUnique(source: SourceFile, report: Report): void {
  const lines = listLines(source.text)
  if (lines.length === 0) {
    const message = "This list is empty. Add a line, or remove the condition that uses it."
    report.add({ code: "empty-operand", message, source, span: { start: 0, end: 0 } })
    return
  }
  const firsts = new Map<string, ListLine>()
  const repeated: ListLine[] = []
  for (const line of lines) {
    if (firsts.has(line.text)) repeated.push(line)
    else firsts.set(line.text, line)
  }
  const [line, another] = repeated
  const first = line && firsts.get(line.text)
  if (line === undefined || first === undefined) return
  const others =
    another === undefined
      ? "Remove one of them."
      : `In all, ${plural(repeated.length, "line")} repeat earlier ones. Remove them, or run \`lint --fix\`.`
  report.add({
    code: "duplicate-item",
    message: `${quoted(line.text)} appears twice in this list. ${others}`,
    source,
    span: line,
    fix: without(source.text, repeated),
    related: [{ message: "The first is here.", location: { source, span: first } }],
  })
}

/** One edit that removes whole lines, each with its end: CR LF, LF or CR. */
function without(text: string, lines: readonly ListLine[]) {
  const cuts = lines.map((line) => wholeLine(text, line))
  const start = cuts[0]?.start ?? 0
  let [kept, at] = ["", start]
  for (const cut of cuts) {
    kept += text.slice(at, cut.start)
    at = cut.end
  }
  return { start, end: at, text: kept }
}

/** A line with its blanks and its end. */
function wholeLine(text: string, { start, end }: ListLine): Span {
  let begin = start
  while (begin > 0 && !"\r\n".includes(text.charAt(begin - 1))) begin--
  const rest = /[^\r\n]*(?:\r\n?|\n)?/y
  rest.lastIndex = end
  rest.exec(text)
  return { start: begin, end: rest.lastIndex }
}
