import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import type { Node, ScalarNode } from "../language/tree.ts"
import { writtenAs } from "../reading/hints/quote.ts"
import type { Check } from "./check.ts"

/** A number on the wire is finite; an integer is one that every JSON reader reads exactly (RFC 8259, section 6). */
export const numbersAreExact: Check = ({ source, type, defaultNode, configurations }, _project, report) => {
  if (type !== "number" && type !== "json") return
  const values = [
    defaultNode,
    ...[...configurations.values()].flatMap((configuration) =>
      configuration.rules.map(({ givesNode }) => givesNode),
    ),
  ]
  for (const value of values) if (value !== undefined) check(value, source, report)
}

function check(node: Node, source: SourceFile, report: Report): void {
  if (node.kind === "sequence") for (const item of node.items) check(item, source, report)
  else if (node.kind === "mapping") for (const member of node.members) check(member.value, source, report)
  else if (typeof node.value === "number") checkNumber(node, node.value, source, report)
}

function checkNumber(node: ScalarNode, value: number, source: SourceFile, report: Report): void {
  if (!Number.isFinite(value)) {
    const message = `JSON cannot represent ${quoted(writtenAs(node, source))}. Write a finite number, or quote it as text.`
    report.add({ code: "not-finite", message, source, span: node })
  } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    const message = `JSON readers lose digits of ${quoted(writtenAs(node, source))}: integers are exact up to 9007199254740991. Quote it as text.`
    report.add({ code: "inexact-integer", message, source, span: node })
  }
}
