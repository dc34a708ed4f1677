import type { BranchChanges } from "../history/branch-changes.ts"
import type { DescribedChange } from "../history/described-commit.ts"
import type { Catalog } from "../model/catalog.ts"
import { html, type Markup, sentence } from "./markup.ts"

/** Longer lists are folded. */
const mostShown = 10

/** The flags that the branch changes, each with `diff`'s sentences. */
export function branchSection({ branch, flags }: Catalog): Markup {
  if (branch === undefined) return html``
  const byFlag = Map.groupBy(branch.changes, ({ flag }) => flag)
  const keys = new Set(flags.map(({ flag }) => flag.key))
  const items = [...byFlag].map(([key, changes]) => {
    const name = keys.has(key) ? html`<a href="#flag=${key}">${key}</a>` : html`${key}`
    return html`<li>${name}<ul>${changes.map(item)}</ul>`
  })
  const removed = [...byFlag.keys()].filter((key) => !keys.has(key)).length
  const without = removed > 0 ? `, ${removed} of them removed` : ""
  const head = html`Changed by this branch: ${byFlag.size} ${byFlag.size === 1 ? "flag" : "flags"}${without}`
  const open = byFlag.size <= mostShown ? html` open` : html``
  return html`<details id="branch"${open}><summary><b>${head}</b></summary>
<p>Compared with ${branch.base}.${notCompared(branch)}</p>
<ul>${items}</ul></details>
`
}

function notCompared({ base, notCompared }: BranchChanges): string {
  if (notCompared === undefined) return ""
  const what = notCompared.project ? "the project file" : notCompared.flags.join(", ")
  return ` Not compared, because of errors at ${base}: ${what}.`
}

function item({ environment, what, who }: DescribedChange): Markup {
  const place = environment === undefined ? "" : `${environment}: `
  const effects = who.map((one) => {
    const where =
      one.environment === undefined || one.environment === environment ? "" : `${one.environment}: `
    return html`<li>${where}${sentence(one.sentence)}`
  })
  return html`<li>${place}${sentence(what)}${effects.length === 0 ? "" : html`<ul>${effects}</ul>`}`
}
