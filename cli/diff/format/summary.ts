import { formatCounts } from "../../diagnostics/format-text.ts"
import { joinPhrases, type Phrase, phrase } from "../../diagnostics/phrase.ts"
import { plural } from "../../diagnostics/plural.ts"
import type { Change } from "../changes/change.ts"
import type { Impact } from "../changes/classification.ts"
import type { Diff } from "../changes/diff.ts"

/**
 * One sentence without its full stop. Protected environments come first and are named even if nothing changes. `told` are the
 * changes that have rows of their own.
 */
export function summaryOf(diff: Diff, told: readonly Change[]): Phrase {
  const { environments, changes, warnings, accepted = [], notCompared } = diff
  if (notCompared?.project) return ["Nothing is compared: the project file has an error before the change"]
  const left = notCompared?.flags.length ?? 0
  const leftOut = left > 0 ? [[`${plural(left, "flag")} ${left === 1 ? "is" : "are"} not compared`]] : []
  if (changes.length === 0) {
    if (left === 0) return ["No change in behaviour"]
    return joinPhrases([["No other change in behaviour"], ...leftOut], "; ")
  }
  const parts = environments.flatMap(({ name, protected: isProtected }): Phrase[] => {
    const flags = affectedFlags(changes, name)
    if (flags === "all") return [phrase`${name} is gone`]
    if (flags === 0) return isProtected ? [phrase`${name}: no one gets a different value`] : []
    return [
      phrase`${name}: ${[`${plural(flags, "flag")} ${flags === 1 ? "changes" : "change"}`]} what users get`,
    ]
  })
  const count = (impact: Impact) => told.filter((change) => change.impact === impact).length
  const [idle, people] = [count("definition"), count("none")]
  const flags = parts.length > 0 ? parts : [["No one gets a different value"]]
  return joinPhrases(
    [
      ...flags,
      ...(idle > 0 ? [[`${plural(idle, "change")} without effect on values`]] : []),
      ...(people > 0 ? [[plural(people, "metadata change")]] : []),
      ...(warnings.length > 0 ? [[formatCounts(warnings)]] : []),
      ...(accepted.length > 0 ? [[plural(accepted.length, "accepted warning")]] : []),
      ...leftOut,
    ],
    "; ",
  )
}

function affectedFlags(changes: readonly Change[], environment: string): number | "all" {
  const affecting = changes.filter(({ effects }) =>
    effects.some((effect) => effect.environment === environment),
  )
  if (affecting.some(({ kind }) => kind === "environment-removed")) return "all"
  return new Set(affecting.map((change) => ("flag" in change ? change.flag : ""))).size
}
