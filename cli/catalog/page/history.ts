import { element, sentenceNodes } from "./element.ts"
import type { PageChange, PageCommit, PageData } from "./page-data.ts"
import { shown } from "./shown.ts"

/** A change of a flag. */
export interface FlagChange {
  /** The position of its commit in the page's history. */
  readonly commitAt: number
  readonly change: PageChange
}

/** The changes of each flag, oldest first, by its key today. */
export function historyByFlag(
  commits: readonly Pick<PageCommit, "changes">[],
): ReadonlyMap<string, readonly FlagChange[]> {
  const byFlag = new Map<string, FlagChange[]>()
  for (const [commitAt, { changes }] of commits.entries())
    for (const change of changes) {
      const { flag, from } = change
      const own = byFlag.get(flag) ?? []
      if (from !== undefined) {
        own.push(...(byFlag.get(from) ?? []))
        own.sort((a, b) => a.commitAt - b.commitAt) // a different flag may have had the key before
        byFlag.delete(from)
      }
      own.push({ commitAt, change })
      byFlag.set(flag, own)
    }
  return byFlag
}

/** What changed a flag, newest first: one entry per commit. */
export function historyOf(history: readonly FlagChange[], data: PageData): HTMLElement {
  if (history.length === 0) return element("p", {}, "git has no commits for this flag.")
  const byCommit = Map.groupBy(history, ({ commitAt }) => commitAt)
  const entries = [...byCommit].toReversed().map(([commitAt, own]) => {
    const commit = data.history[commitAt] as PageCommit
    return element("li", {}, ...headOf(commit, data), ...joinPlaces(own.map(({ change }) => change)))
  })
  return element("ol", { className: "history" }, ...entries)
}

/** The commit's subject, pull request, time in UTC, author and id. */
function headOf({ id, at, author, subject, request }: PageCommit, { commits }: PageData) {
  if (id === "") return [element("p", {}, element("b", {}, "not committed yet"))]
  const time = new Date(at).toISOString()
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
      element("time", { dateTime: time }, `${time.slice(0, 16).replace("T", " ")} UTC`),
      ...(author === "" ? [] : [" · ", shown(author)]),
      " · ",
      commits === "" ? short : element("a", { href: `${commits}${id}` }, short),
    ),
  ]
}

/** What changed and for whom; changes that are the same in several environments are listed once. */
function joinPlaces(changes: readonly PageChange[]): readonly HTMLElement[] {
  const groups = Map.groupBy(changes, ({ what, who }) =>
    JSON.stringify([what, who.map(({ sentence }) => sentence)]),
  )
  return [...groups.values()].flatMap((own) => {
    const where = namesOf(own)
    const who = Map.groupBy(
      own.flatMap((change) => change.who),
      ({ sentence }) => JSON.stringify(sentence),
    )
    const items = [...who.values()].map((same) => {
      const names = namesOf(same)
      const isSaid = names === "" || names === where
      const nodes = sentenceNodes(same[0]?.sentence ?? [])
      return element("li", {}, ...(isSaid ? [] : [element("b", {}, `${names}: `)]), ...nodes)
    })
    const nodes = sentenceNodes(own[0]?.what ?? [])
    const what = element("p", {}, where === "" ? "" : `${where}: `, ...nodes)
    return items.length === 0 ? [what] : [what, element("ul", {}, ...items)]
  })
}

/** The environments of some changes, or of their effects. */
function namesOf(places: readonly { readonly environment?: string | undefined }[]): string {
  return [...new Set(places.flatMap(({ environment }) => environment ?? []))].join(", ")
}
