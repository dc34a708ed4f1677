import { printableJson } from "../../diagnostics/printable.ts"
import { ageWords, expiryWords } from "./days.ts"
import { element } from "./element.ts"
import type { CellView, FlagView } from "./flag-view.ts"
import { historyOf } from "./history.ts"
import type { PageData, PageReached } from "./page-data.ts"
import { shown } from "./shown.ts"

/** Adds to a flag's details, once, what only the page's data has: facts, witnesses, lines, entries and history. */
export function fillDetails(flag: FlagView, data: PageData, now: number): HTMLElement {
  const { article } = flag
  if (article.dataset.filled !== undefined) return article
  article.dataset.filled = ""
  const path = article.getElementsByTagName("p")[1]
  const address = fileAddress(flag, data)
  if (data.files !== "") path?.replaceChildren(element("a", { href: address }, path.textContent))
  path?.after(factsOf(flag, now))
  for (const [at, side] of [...article.querySelectorAll<HTMLElement>("dl>div")].entries()) {
    const cell = flag.cells[at]
    if (cell !== undefined) fillSide(side, cell, at, flag, data)
  }
  article.append(element("h3", {}, "History"), historyOf(flag, data))
  return article
}

function factsOf(
  { key, name, type, owner, tags, createdAt, expires, isTested, cells }: FlagView,
  now: number,
): HTMLElement {
  const outcomes = cells.flatMap(({ reached }) => reached).filter(([isReached]) => isReached === 1)
  const tested = outcomes.filter(([, hits]) => hits > 0)
  const date = new Date(createdAt).toISOString().slice(0, 10)
  const facts = [
    ...(name === key ? [] : [name]),
    type,
    owner === "" ? "no owner" : owner,
    ...(tags.length === 0 ? [] : [tags.join(", ")]),
    `since ${date} (${ageWords(createdAt, now)})`,
    ...(expires === "" ? [] : [`expires ${expires} (${expiryWords(expires, now)})`]),
    isTested ? `specs cover ${tested.length} of ${outcomes.length} outcomes` : "untested (no spec)",
  ]
  return element("ul", { className: "facts" }, ...facts.map((fact) => element("li", {}, shown(fact))))
}

function fillSide(
  side: HTMLElement,
  { reached, changedAt }: CellView,
  at: number,
  flag: FlagView,
  data: PageData,
): void {
  const answer = side.querySelector("dd") ?? side
  const items = side.querySelectorAll("li")
  for (const [rule, item] of [...(items.length === 0 ? [answer] : items)].entries()) {
    const own = reached[rule]
    if (own !== undefined) item.append(notesOf(own, flag, data))
  }
  if (changedAt !== undefined)
    answer.append(element("p", {}, `Changed ${new Date(changedAt).toISOString().slice(0, 10)}`))
  const entry = element("pre", { tabIndex: 0 }, printableJson(JSON.stringify(flag.entry(at), null, 2)))
  entry.setAttribute("aria-label", `Entry in ${data.environments[at]?.name}`)
  answer.append(element("details", {}, element("summary", {}, "What SDKs receive"), entry))
}

/** Notes on a rule: an example context, its specs, and its line. */
function notesOf([isReached, hits, witnessOf, line]: PageReached, flag: FlagView, data: PageData) {
  const witness = printableJson(data.values[witnessOf] as string)
  const notes: (Node | string)[][] = []
  if (witness !== "" && witness !== "{}") notes.push(["for example ", element("code", {}, witness)])
  if (isReached === 1 && flag.isTested)
    notes.push([hits === 0 ? "not covered by a spec" : `${hits} spec case${hits === 1 ? "" : "s"}`])
  if (line !== undefined) {
    const words = `line ${line}`
    notes.push([
      data.files === "" ? words : element("a", { href: `${fileAddress(flag, data)}#L${line}` }, words),
    ])
  }
  return element("small", {}, ...notes.flatMap((note, at) => (at === 0 ? note : [" · ", ...note])))
}

function fileAddress({ path }: FlagView, { files }: PageData): string {
  return files + path.split("/").map(encodeURIComponent).join("/")
}
