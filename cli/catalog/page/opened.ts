import type { PageData } from "../page-data.ts"
import { byId, element, sentenceNodes } from "./element.ts"
import type { FlagView } from "./flag-view.ts"

/** Adds to the details of a flag what only the page's data has: witnesses, lines, history, and its entry. Once. */
export function fillDetails(flag: FlagView, data: PageData): HTMLElement {
  const article = byId(`flag=${flag.key}`)
  if (article.dataset.filled !== undefined) return article
  article.dataset.filled = ""
  const sides = [...article.querySelectorAll<HTMLElement>(".sides > section")]
  for (const [at, side] of sides.entries()) {
    const [, , reached = []] = flag.cells[at] ?? []
    for (const [rule, item] of [...side.querySelectorAll("li")].entries()) {
      const [, hits = 0, witnessOf = 0, line] = reached[rule] ?? []
      const witness = data.witnesses[witnessOf] ?? ""
      if (witness !== "") item.append(element("small", {}, "such as ", element("code", {}, witness)))
      const tested =
        hits === 0 ? "no spec comes to it" : `specs come to it ${hits === 1 ? "once" : `${hits} times`}`
      item.append(element("small", { className: hits === 0 ? "untested" : "" }, tested))
      if (line !== undefined && data.files !== "")
        item.append(
          element(
            "small",
            {},
            element("a", { href: `${data.files}${encodeURI(flag.path)}#L${line}` }, `line ${line}`),
          ),
        )
      else if (line !== undefined) item.append(element("small", {}, `line ${line}`))
    }
    const time = flag.changedAt(at)
    if (time !== "")
      side.append(element("p", {}, "Changed ", element("time", { dateTime: time }, time.slice(0, 10))))
    const entry = element("pre", { tabIndex: 0 }, JSON.stringify(flag.entry(at), null, 2))
    entry.setAttribute("aria-label", `Entry in ${data.environments[at]?.name}`)
    side.append(element("details", {}, element("summary", {}, "As SDKs get it"), entry))
  }
  article.append(element("h3", {}, "History"), historyOf(flag, data))
  return article
}

function historyOf({ history }: FlagView, { log, sentences, environments, commits }: PageData): HTMLElement {
  if (history.length === 0)
    return element("p", {}, "Nothing is known of it: git has no commit of this flag here.")
  const said = (at: number) => sentenceNodes(sentences[at] ?? [])
  const nameOf = (at: number) => environments[at]?.name
  const list = element("ol", { className: "history" })
  for (const [commitOf, whatOf, environmentOf, who] of history.toReversed()) {
    const [id, at, author] = log[commitOf] ?? ["", "", ""]
    const short = element("code", {}, id.slice(0, 10))
    const commit =
      id === ""
        ? "not committed yet"
        : commits === ""
          ? short
          : element("a", { href: `${commits}${id}` }, short)
    const where = nameOf(environmentOf)
    const time = id === "" ? [] : [element("time", { dateTime: at }, at.slice(0, 10)), " "]
    list.append(
      element(
        "li",
        {},
        element("p", {}, ...time, commit, author === "" ? "" : ` ${author}`),
        element("p", {}, ...(where === undefined ? [] : [`${where}: `]), ...said(whatOf)),
        element(
          "ul",
          {},
          ...who.map(([one, sentenceOf]) => {
            const place = one === -1 ? [] : [element("b", {}, `${nameOf(one)}: `)]
            return element("li", {}, ...place, ...said(sentenceOf))
          }),
        ),
      ),
    )
  }
  return list
}
