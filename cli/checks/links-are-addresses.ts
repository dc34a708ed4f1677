import { quoted } from "../diagnostics/suggest.ts"
import { memberOf, type Node } from "../language/tree.ts"
import type { Check } from "./check.ts"

/** Each link is an https address: the catalogue makes it clickable, and a `javascript:` link could run there. */
export const linksAreAddresses: Check = ({ source, root }, _project, report) => {
  const links = memberOf(root, "links")?.value
  for (const item of links?.kind === "sequence" ? links.items : []) {
    const node: Node | undefined = item.kind === "mapping" ? memberOf(item, "url")?.value : item
    if (node?.kind !== "scalar" || typeof node.value !== "string" || isAddress(node.value)) continue
    const meant = /^(?:http:\/\/)?([^/:]+[./][^:]*)$/i.exec(node.value)
    const isTicket = /^#?[\w-]+$/.test(node.value) && node.value.length <= 40
    const advice =
      meant !== null
        ? ` Write ${quoted(`https://${meant[1]}`)}.`
        : isTicket
          ? ` Write the whole URL, such as ${quoted(`https://tickets.example/${node.value.replace("#", "")}`)}.`
          : ""
    const message = `A link must start with https://.${advice}`
    report.add({ code: "bad-link", message, source, span: node })
  }
}

function isAddress(text: string): boolean {
  return /^https:\/\/(?![a-z]+:\/\/)/i.test(text) && URL.canParse(text)
}
