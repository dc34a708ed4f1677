import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { listLines } from "../reading/list-file.ts"
import { isAscii, seen, unseenIn } from "../yaml/odd-characters.ts"
import { carriageReturn, mergeConflict } from "../yaml/sentences.ts"

/** No line of a list has characters that cannot be seen, or that no text has, or marks a conflict. The first one is reported. */
export function listLinesAreText(source: SourceFile, report: Report): void {
  const add = (message: string, span: { readonly start: number; readonly end: number }, text?: string) =>
    report.add({
      code: "odd-character",
      message,
      source,
      span,
      fix: text === undefined ? undefined : { ...span, text },
    })
  const control = source.text.search(controls)
  if (control !== -1) {
    add("This is a control character, which no id has. Save the list as UTF-8 text.", {
      start: control,
      end: control + 1,
    })
    return
  }
  const lone = source.text.search(/\r(?!\n)/)
  if (lone !== -1) {
    report.add({ code: "syntax", message: carriageReturn, source, span: { start: lone, end: lone + 1 } })
    return
  }
  const conflict = conflictMark.exec(source.text)
  if (conflict !== null) {
    const span = { start: conflict.index, end: conflict.index + 7 }
    report.add({ code: "syntax", message: mergeConflict, source, span })
    return
  }
  if (isAscii(source.text)) return
  for (const { text, start, end } of listLines(source.text)) {
    const name = unseenIn(text)
    if (name === undefined) continue
    add(`This line has ${name}, which must match too. Remove it.`, { start, end }, seen(text))
    return
  }
}

/** What YAML refuses in texts, too (1.2.2, 5.1). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/

/** A line that git writes around and between the sides of a conflict. */
const conflictMark = /^(?:[<|>]{7} |={7}\r?$)/m
