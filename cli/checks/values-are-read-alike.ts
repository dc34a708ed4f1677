import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import type { Flag } from "../language/flag.ts"
import type { Node, ScalarNode } from "../language/tree.ts"
import { misreadingOf, unquoting, writtenAs } from "../reading/hints/quote.ts"

/** Numbers and texts without quotes in a flag's values mean the same in YAML 1.1, which many authors and programs know. */
export function valuesAreReadAlike(
  { source, type, defaultNode, configurations }: Flag,
  report: Report,
): void {
  if (type !== "number" && type !== "json") return
  const rules = [...configurations.values()].flatMap((configuration) => configuration.rules)
  const nodes = new Set([defaultNode, ...rules.map(({ givesNode }) => givesNode)]) // an alias is the node of its anchor
  for (const node of nodes) if (node !== undefined) check(node, source, report)
}

function check(node: Node, source: SourceFile, report: Report): void {
  if (node.kind === "sequence") for (const item of node.items) check(item, source, report)
  else if (node.kind === "mapping") for (const member of node.members) check(member.value, source, report)
  else {
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
