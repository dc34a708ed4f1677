import { quoted } from "../../diagnostics/suggest.ts"
import { memberOf, type Node } from "../yaml/tree.ts"
import type { Check } from "./check.ts"

/** Each link is an https address: the catalogue makes it one to click on, so no other scheme can be in it. */
export const linksAreAddresses: Check = ({ source, root }, _project, report) => {
  const links = memberOf(root, "links")?.value
  for (const item of links?.kind === "sequence" ? links.items : []) {
    const node: Node | undefined = item.kind === "mapping" ? memberOf(item, "url")?.value : item
    if (node?.kind !== "scalar" || typeof node.value !== "string" || isAddress(node.value)) continue
    const meant = /^http:/i.test(node.value)
      ? node.value.replace(/^http:/i, "https:")
      : `https://${node.value}`
    const advice = isAddress(meant) && /[./]/.test(node.value) ? ` Write ${quoted(meant)}.` : ""
    const message = `A link is an address that begins with https://.${advice}`
    report.add({ code: "bad-link", message, source, span: node })
  }
}

function isAddress(text: string): boolean {
  return /^https:\/\//.test(text) && URL.canParse(text)
}
