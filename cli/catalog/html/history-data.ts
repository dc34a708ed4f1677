import { type Phrase, visible } from "../../diagnostics/phrase.ts"
import type { DescribedCommit } from "../history/described-commit.ts"
import type { PageChange, PageChangeAt, PageSentence } from "../page/page-data.ts"
import { createInterned } from "./interned.ts"

/** The history in the page's form. */
export interface HistoryData {
  readonly sentences: readonly PageSentence[]
  readonly changes: readonly PageChange[]
  /** By flag key, oldest first. */
  readonly byFlag: ReadonlyMap<string, readonly PageChangeAt[]>
}

/** `environments`: their names. */
export function historyData(
  commits: readonly DescribedCommit[],
  environments: readonly string[],
): HistoryData {
  const sentences = createInterned<PageSentence>()
  const changes = createInterned<PageChange>()
  const byFlag = new Map<string, readonly PageChangeAt[]>()
  const sentenceOf = (phrase: Phrase) => sentences.of(pageSentence(phrase))
  const place = (environment: string | undefined) =>
    environment === undefined ? -1 : environments.indexOf(environment)
  for (const [commitOf, commit] of commits.entries())
    for (const { flag, from, environment, what, who } of commit.changes) {
      const affected = who.map((one) => [place(one.environment), sentenceOf(one.sentence)] as const)
      const changeOf = changes.of([sentenceOf(what), place(environment), affected])
      const earlier = [...(byFlag.get(flag) ?? []), ...(from === undefined ? [] : (byFlag.get(from) ?? []))]
      if (from !== undefined) {
        byFlag.delete(from)
        earlier.sort(([one], [other]) => one - other) // a different flag may have had the key before
      }
      byFlag.set(flag, [...earlier, [commitOf, changeOf]])
    }
  return { sentences: sentences.all, changes: changes.all, byFlag }
}

/** Our words and untrusted text, alternating. */
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
