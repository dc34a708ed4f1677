import { didYouMean, orList, quoted } from "../diagnostics/suggest.ts"
import { memberOf } from "../language/tree.ts"
import type { Check } from "./check.ts"

/** If the project file lists tags, each flag's tags are among them. */
export const tagsAreKnown: Check = ({ source, root }, { tags }, report) => {
  const written = memberOf(root, "tags")?.value
  if (tags === undefined || written?.kind !== "sequence") return
  for (const node of written.items) {
    if (node.kind !== "scalar" || typeof node.value !== "string" || tags.includes(node.value)) continue
    const message = `Unknown tag ${quoted(node.value)}${didYouMean(node.value, tags)}${orList(node.value, tags, "tags")}`
    report.add({ code: "unknown-tag", message, source, span: node })
  }
}
