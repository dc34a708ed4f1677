import { termsOf } from "../../conditions/flatten.ts"
import { sharesIn } from "../../conditions/share-range.ts"
import { joinPhrases, listPhrase, type Phrase, phrase } from "../../diagnostics/phrase.ts"
import { plural } from "../../diagnostics/plural.ts"
import { usersWho } from "../../phrases/users-who.ts"
import { listChangeWords } from "../changes/describe.ts"
import type { SegmentChange } from "../changes/segment-change.ts"

/** What changed in a segment: a sentence without its full stop. */
export function segmentWords({ before, after, by, lists = [] }: SegmentChange): Phrase {
  if (by !== undefined || lists.length > 0) {
    const others = by && phrase`changes with ${[by.length === 1 ? "segment" : "segments"]} ${listPhrase(by)}`
    return joinPhrases([...(others ? [others] : []), ...lists.map(listChangeWords)], "; ")
  }
  if (after === null) return phrase`removed`
  const isByFlag = sharesIn(after).some(({ seed }) => seed === undefined)
  const users = phrase`${usersWho(termsOf(after))}${[isByFlag ? ", different users in each flag" : ""]}`
  return before === null ? users : phrase`now ${users}`
}

/** How many flags' values differ because of it, environment by environment. */
export function segmentReach({ flags }: SegmentChange): readonly Phrase[] {
  const reached = Object.entries(flags)
  if (reached.length === 0) return [phrase`no one gets a different value`]
  return reached.map(
    ([environment, keys]) =>
      phrase`${[plural(keys.length, "flag")]} in ${environment} ${[keys.length === 1 ? "changes" : "change"]}`,
  )
}
