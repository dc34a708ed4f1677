import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import type { Flag } from "../language/flag.ts"
import type { ScalarNode } from "../language/tree.ts"
import { misreadingOf, unquoting, writtenAs } from "../reading/hints/quote.ts"
import { scalarsGiven } from "./numbers-are-exact.ts"

/** Numbers and texts without quotes in a flag's values mean the same in YAML 1.1, which many authors and programs know. */
export function valuesAreReadAlike(flag: Flag, report: Report): void {
  const { source } = flag
  for (const node of new Set(scalarsGiven(flag))) {
    const message = messageOf(node, source)
    if (message !== undefined)
      report.add({ code: "unquoted-value", severity: "warning", message, source, span: node })
  }
}

function messageOf(node: ScalarNode, source: SourceFile): string | undefined {
  const written = writtenAs(node, source)
  if (typeof node.value === "number")
    return /^[-+]?0[0-7]+$/.test(written)
      ? `This is the number ${node.value}, but many YAML parsers read ${quoted(written)} as octal. Write ${node.value}.`
      : undefined
  if (typeof node.value !== "string" || !node.plain) return undefined
  const digits = /^[-+]?\d[\d_]*_[\d_]*(\.[\d_]*)?$/.test(written) ? written.replaceAll("_", "") : undefined
  const misreading =
    digits === undefined ? misreadingOf(node, source) : "many YAML parsers read this as a number"
  if (misreading === undefined) return undefined
  const meant = digits === undefined ? unquoting(node, "boolean") : ` Write ${digits}.`
  return `This is text, but ${misreading}.${meant} If you mean the text, quote it: ${JSON.stringify(written)}.`
}
