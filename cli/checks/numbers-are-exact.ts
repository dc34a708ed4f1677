import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import type { Flag } from "../language/flag.ts"
import type { Node, ScalarNode } from "../language/tree.ts"
import { writtenAs } from "../reading/hints/quote.ts"
import { returnValuesIn } from "../reading/split.ts"
import type { Check } from "./check.ts"

/** A number on the wire is finite; an integer is one that every JSON reader reads exactly (RFC 8259, section 6). */
export const numbersAreExact: Check = (flag, _project, report) => {
  for (const node of scalarsGiven(flag))
    if (typeof node.value === "number") checkNumber(node, node.value, flag.source, report)
}

/** The scalars in the values of a flag whose type is `number` or `json`. */
export function scalarsGiven(flag: Flag): readonly ScalarNode[] {
  if (flag.type !== "number" && flag.type !== "json") return []
  return [flag.defaultNode, ...returnValuesIn(flag)].flatMap((node) =>
    node === undefined ? [] : scalarsIn(node),
  )
}

function scalarsIn(node: Node): readonly ScalarNode[] {
  if (node.kind === "scalar") return [node]
  return (node.kind === "sequence" ? node.items : node.members.map(({ value }) => value)).flatMap(scalarsIn)
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
