import { type Phrase, visible } from "../../phrases/phrase.ts"
import { createList } from "../list.ts"
import type { PageChange, PageSentence } from "../page-data.ts"
import {
  type CatalogCommit,
  type CatalogHistory,
  type ChangeAt,
  noHistory,
  type SaidChange,
} from "./catalog-history.ts"

/** A history that commits are added to, oldest first. */
export interface HistoryBook {
  /** A commit that changed nothing is left out. */
  readonly add: (commit: CatalogCommit) => void
  readonly history: () => CatalogHistory
}

/** Goes on from a history with the same environments. */
export function createHistoryBook(environments: readonly string[], from = noHistory): HistoryBook {
  const commits = [...from.commits]
  const sentences = createList<PageSentence>(from.sentences)
  const changes = createList<PageChange>(from.changes)
  const byFlag = new Map<string, readonly ChangeAt[]>(from.flags)
  const said = (phrase: Phrase) => sentences.of(pageSentence(phrase))
  const place = (environment: string | undefined) =>
    environment === undefined ? -1 : environments.indexOf(environment)

  /** What many flags have is found by its object, without a look at its words. */
  const positions = new Map<SaidChange, number>()
  function changeOf(change: SaidChange): number {
    const known = positions.get(change)
    if (known !== undefined) return known
    const { environment, what, who } = change
    const affected = who.map((one) => [place(one.environment), said(one.sentence)] as const)
    const position = changes.of([said(what), place(environment), affected])
    positions.set(change, position)
    return position
  }

  function add({ id, at, author, changes: own }: CatalogCommit): void {
    if (own.length === 0) return
    let [added, removed] = [0, 0]
    const touched = environments.map(() => new Set<string>())
    for (const { flag, said } of own) {
      if (said.kind === "added") added++
      if (said.kind === "removed") removed++
      for (const [at, name] of environments.entries()) if (isAbout(said, name)) touched[at]?.add(flag)
    }
    const counted = [id, at, author, added, removed, touched.map(({ size }) => size)] as const
    const commitOf = commits.push(counted) - 1
    for (const { flag, from, said } of own) {
      const earlier = byFlag.get(said.kind === "renamed" && from !== undefined ? from : flag) ?? []
      if (from !== undefined) byFlag.delete(from)
      byFlag.set(flag, [...earlier, [commitOf, changeOf(said)]])
    }
  }

  return {
    add,
    history: () => ({ commits, sentences: sentences.all, changes: changes.all, flags: [...byFlag] }),
  }
}

function isAbout({ environment, who }: SaidChange, name: string): boolean {
  return environment === name || who.some((one) => one.environment === name)
}

/** Our words and foreign texts in turn. */
function pageSentence(phrase: Phrase): PageSentence {
  const parts: string[] = [""]
  for (const part of phrase) {
    const endsWithOurs = parts.length % 2 === 1
    if (typeof part !== "string") parts.push(...(endsWithOurs ? [] : [""]), visible(part.foreign))
    else if (endsWithOurs) parts[parts.length - 1] += part
    else parts.push(part)
  }
  return parts
}
