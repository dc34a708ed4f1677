import type { Configuration, Flag, FlagEntry, Rule } from "../../../sdk/contract/snapshot.ts"
import { phrase, valueWords } from "../../diagnostics/phrase.ts"
import { sameRule } from "../../flag/same-rule.ts"
import { always } from "../../language/condition.ts"
import { type Outcome, shortJson, usersOfLast, whoGetsWhat } from "../../phrases/who-gets-what.ts"
import type { GivenSince } from "../../stale/assess.ts"
import type { Reached } from "../page/page-data.ts"
import type { CatalogCell, CatalogRule } from "./catalog.ts"

/** What a cell needs to know about a flag in an environment, besides its entry. */
export interface CellFacts {
  readonly rules: readonly (Outcome & Pick<CatalogRule, "line" | "rule">)[]
  /** The value that everyone gets, and which rules have shares of users. */
  readonly given: Pick<GivenSince<string>, "only" | "isShared" | "ramps" | "isOver">
  readonly reachedBy: (by: number | string) => Reached
}

/** What a flag does in an environment. */
export function cellOf(
  name: string,
  { flag, environment }: FlagEntry,
  { rules: inFile, given, reachedBy }: CellFacts,
): Omit<CatalogCell, "differs" | "removedAt"> {
  const otherwise = reachedBy(
    environment === null ? "unconfigured" : environment.enabled ? "default" : "disabled",
  )
  const conditions = inFile.map(({ condition }) => condition)
  const rules = inFile.map(({ gives, line, rule }, at) => ({
    words: phrase`${valueWords(gives)} for ${usersOfLast(conditions.slice(0, at + 1))}`,
    ...{ line, rule },
    ...reachedBy(at),
  }))
  const constant = given.only
  const { isOver, ramps } = given
  const cell = { environment: name, configuration: environment, constant, ramps, isOver, rules, otherwise }
  if (environment === null) return { ...cell, state: "none", words: phrase`not configured` }
  if (constant !== undefined) return { ...cell, ...sameForAll(flag, environment, constant) }
  const outcomes = [
    ...inFile.filter((_, at) => rules[at]?.isReached),
    ...(otherwise.isReached ? [{ condition: always, gives: flag.defaultValue }] : []),
  ]
  return { ...cell, state: given.isShared ? "share" : "rules", words: whoGetsWhat(outcomes) }
}

function sameForAll(
  { type }: Flag,
  { enabled }: Configuration,
  constant: string,
): Pick<CatalogCell, "state" | "words"> {
  if (type === "boolean" && constant === "false") return { state: "off", words: ["off for all"] }
  const disabled = enabled ? "" : " (disabled)"
  if (type === "boolean") return { state: "on", words: [`on for all${disabled}`] }
  return { state: "value", words: phrase`${shortJson(JSON.parse(constant))} for all${[disabled]}` }
}

/** Whether two environments of one flag do the same to everyone. */
export function doTheSame(
  before: Pick<CatalogCell, "constant" | "configuration">,
  after: Pick<CatalogCell, "constant" | "configuration">,
): boolean {
  if (before.constant !== undefined || after.constant !== undefined) return before.constant === after.constant
  const [one, other] = [before.configuration?.rules ?? [], after.configuration?.rules ?? []]
  return one.length === other.length && one.every((rule, at) => sameRule(rule, other[at] as Rule))
}
