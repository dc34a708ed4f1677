import { listPhrase, type Phrase, phrase } from "../../diagnostics/phrase.ts"
import type { Change } from "../changes/change.ts"
import type { Diff } from "../changes/diff.ts"

/** Flags of one risk. The risks come in the order in which a reviewer should look. */
export interface Risk {
  readonly title: string
  readonly flags: readonly RiskyFlag[]
}

export interface RiskyFlag {
  readonly key: string
  /** Its first change, which has its owner and file. */
  readonly change: Change
  /** The environments in which its values differ, and the codes of its warnings. */
  readonly what: Phrase
}

/** The flags whose values differ, by risk. */
export function risksOf({ environments, changes, warnings }: Diff): readonly Risk[] {
  const byFlag = Map.groupBy(
    changes.filter(({ effects }) => effects.length > 0),
    (change) => ("flag" in change ? change.flag : undefined),
  )
  byFlag.delete(undefined)
  const codesIn = Map.groupBy(warnings, ({ location }) => location.source.path)
  const guarded = environments.filter((environment) => environment.protected).map(({ name }) => name)
  const flags = [...byFlag].flatMap(([key = "", own]) => {
    const [change] = own
    if (change === undefined) return []
    const affected = new Set(own.flatMap(({ effects }) => effects.map(({ environment }) => environment)))
    const names = environments.map(({ name }) => name).filter((name) => affected.has(name))
    const codes = new Set(codesIn.get(change.file)?.map(({ code }) => code))
    const where = listPhrase(names)
    const what = codes.size > 0 ? phrase`${where}; ${listPhrase(codes)}` : where
    const level = codes.size > 0 ? 0 : names.some((name) => guarded.includes(name)) ? 1 : 2
    return [{ key, change, what, level }]
  })
  return [
    "with warnings",
    "in protected environments",
    guarded.length > 0 ? "only in unprotected environments" : "without warnings",
  ].map((title, level) => ({ title, flags: flags.filter((flag) => flag.level === level) }))
}
