import { type Phrase, visible } from "../../phrases/phrase.ts"
import { createList } from "../list.ts"
import type { PageChange, PageSentence } from "../page-data.ts"
import {
  type BookedChange,
  type CatalogCommit,
  type CatalogHistory,
  type ChangeAt,
  noHistory,
  type SaidChange,
} from "./catalog-history.ts"

/** A history that commits are added to, oldest first. */
export interface HistoryBook {
  /** Writes down what is said of changes. Equal ones are written once. */
  readonly write: (said: SaidChange) => BookedChange
  /** A commit that changed nothing is left out. */
  readonly add: (commit: CatalogCommit) => void
  readonly history: () => CatalogHistory
}

/** Goes on from a history with the same environments. */
export function createHistoryBook(environments: readonly string[], from = noHistory): HistoryBook {
  const commits = [...from.commits]
  const sentences = createList<PageSentence>(from.sentences, (parts) => parts.join("\n")) // none has a line end
  const changes = createList<PageChange>(from.changes)
  const byFlag = new Map<string, readonly ChangeAt[]>(from.flags)
  const sentenceOf = (phrase: Phrase) => sentences.of(pageSentence(phrase))
  const place = (environment: string | undefined) =>
    environment === undefined ? -1 : environments.indexOf(environment)

  function write({ kind, environment, what, who }: SaidChange): BookedChange {
    const affected = who.map((one) => [place(one.environment), sentenceOf(one.sentence)] as const)
    const own = [place(environment), ...affected.map(([environmentOf]) => environmentOf)]
    return {
      kind,
      changeOf: changes.of([sentenceOf(what), place(environment), affected]),
      environments: [...new Set(own)].filter((environmentOf) => environmentOf !== -1),
    }
  }

  function add({ id, at, author, changes: own }: CatalogCommit): void {
    if (own.length === 0) return
    let [added, removed] = [0, 0]
    const touched = environments.map(() => new Set<string>())
    for (const { flag, said } of own) {
      if (said.kind === "added") added++
      if (said.kind === "removed") removed++
      for (const environmentOf of said.environments) touched[environmentOf]?.add(flag)
    }
    const counted = [id, at, author, added, removed, touched.map(({ size }) => size)] as const
    const commitOf = commits.push(counted) - 1
    for (const { flag, from, said } of own) {
      const earlier = [...(byFlag.get(flag) ?? []), ...(from === undefined ? [] : (byFlag.get(from) ?? []))]
      if (from !== undefined) {
        byFlag.delete(from)
        earlier.sort(([one], [other]) => one - other) // another flag may have had the key before
      }
      byFlag.set(flag, [...earlier, [commitOf, said.changeOf]])
    }
  }

  return {
    write,
    add,
    history: () => ({ commits, sentences: sentences.all, changes: changes.all, flags: [...byFlag] }),
  }
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
