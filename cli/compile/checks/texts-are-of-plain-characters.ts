import type { Report, SourceFile } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import { eachComparison } from "../definition/each-condition.ts"
import { rewriting } from "../hints/quote.ts"
import { seen, unseenIn } from "../yaml/odd-characters.ts"
import { memberOf, type Node } from "../yaml/tree.ts"
import type { ConditionCheck } from "./check.ts"

/** What is compared has no characters that nobody sees, and no quotes of a word processor around it. */
export const textsAreOfPlainCharacters: ConditionCheck = (file, _project, report) => {
  eachComparison(file, ({ node, value, ofSplit }) => {
    if (ofSplit) return
    checkText(memberOf(node, "attribute")?.value, file.source, report)
    checkText(value, file.source, report)
  })
}

const isAscii = /^[\0-\x7f]*$/

function checkText(node: Node | undefined, source: SourceFile, report: Report): void {
  if (node?.kind === "sequence") for (const item of node.items) checkText(item, source, report)
  if (node?.kind !== "scalar" || typeof node.value !== "string" || isAscii.test(node.value)) return
  const [, inner] =
    /^[\u2018\u201a\u201c\u201e\u00ab](.*)[\u2018\u2019\u201c\u201d\u00bb]$/su.exec(node.value) ?? []
  const unseen = unseenIn(node.value)
  if (inner === undefined && unseen === undefined) return
  const meant = seen(inner ?? node.value).trim()
  const what =
    inner === undefined
      ? `This text has ${unseen} in it, which nobody sees`
      : `${quoted(node.value.charAt(0))} and ${quoted(node.value.slice(-1))} are quotes of a word processor, and belong to the text here`
  const message = `${what}. Write ${JSON.stringify(meant)}.`
  report.add({ code: "odd-character", message, source, span: node, fix: rewriting(node, meant, source) })
}
