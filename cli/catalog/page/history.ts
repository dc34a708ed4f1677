import { element, sentenceNodes } from "./element.ts"
import type { FlagView } from "./flag-view.ts"
import type { PageChange, PageData } from "./page-data.ts"
import { shown } from "./shown.ts"

/** What changed a flag, newest first: one entry per commit. */
export function historyOf({ history }: FlagView, data: PageData): HTMLElement {
  if (history.length === 0) return element("p", {}, "git has no commits for this flag.")
  const byCommit = Map.groupBy(history, ([commitOf]) => commitOf)
  const entries = [...byCommit].toReversed().map(([commitOf, own]) => {
    const changes = own.flatMap(([, changeOf]) => {
      const change = data.changes[changeOf]
      return change === undefined ? [] : [change]
    })
    return element("li", {}, ...headOf(commitOf, data), ...joinPlaces(changes, data))
  })
  return element("ol", { className: "history" }, ...entries)
}

/** The commit's subject, pull request, time in UTC, author and id. */
function headOf(commitOf: number, { log, times, values, commits }: PageData): readonly HTMLElement[] {
  const [id = "", atOf = -1, authorOf = -1, subject = "", request] = log[commitOf] ?? []
  if (id === "") return [element("p", {}, element("b", {}, "not committed yet"))]
  const at = new Date(times[atOf] ?? 0).toISOString()
  const author = shown(values[authorOf] as string)
  const words = shown(subject) || "no message"
  const short = element("code", {}, id.slice(0, 10))
  return [
    element(
      "p",
      {},
      element("b", {}, request === undefined ? words : element("a", { href: request }, words)),
    ),
    element(
      "p",
      { className: "commit" },
      element("time", { dateTime: at }, `${at.slice(0, 16).replace("T", " ")} UTC`),
      ...(author === "" ? [] : [" · ", author]),
      " · ",
      commits === "" ? short : element("a", { href: `${commits}${id}` }, short),
    ),
  ]
}

/** What changed and for whom; changes that are the same in several environments are listed once. */
function joinPlaces(changes: readonly PageChange[], data: PageData): readonly HTMLElement[] {
  const nodesOf = (at: number) => sentenceNodes(data.sentences[at] ?? [])
  const namesOf = (places: readonly number[]) =>
    [...new Set(places)].flatMap((at) => data.environments[at]?.name ?? []).join(", ")
  const groups = Map.groupBy(changes, ([whatOf, , who]) => JSON.stringify([whatOf, who.map(([, of]) => of)]))
  return [...groups.values()].flatMap((own) => {
    const where = namesOf(own.map(([, place]) => place))
    const who = Map.groupBy(
      own.flatMap(([, , all]) => all),
      ([, of]) => of,
    )
    const items = [...who].map(([of, all]) => {
      const names = namesOf(all.map(([place]) => place))
      const isSaid = names === "" || names === where
      return element("li", {}, ...(isSaid ? [] : [element("b", {}, `${names}: `)]), ...nodesOf(of))
    })
    const what = element("p", {}, where === "" ? "" : `${where}: `, ...nodesOf(own[0]?.[0] ?? -1))
    return items.length === 0 ? [what] : [what, element("ul", {}, ...items)]
  })
}
