import type { Configuration, FlagEntry, Rule } from "../../../proxy/contract/snapshot.ts"
import type { Phrase } from "../../phrases/phrase.ts"
import type { FlagSource } from "../flags/flag-source.ts"
import type { CatalogCell, CatalogFlag } from "./catalog-flag.ts"
import { doTheSame, meaningOf } from "./cell.ts"
import type { Outcomes } from "./outcomes.ts"

/** What a flag is in one environment, with its times. */
export interface EntryIn {
  readonly environment: string
  readonly entry: FlagEntry
}

/** A flag of the catalogue: its entry in each environment, what only people read, and what specs and witnesses say. */
export function readFlag(
  entries: readonly [EntryIn, ...EntryIn[]],
  { owner, tags, expires, lines }: FlagSource,
  path: string,
  outcomes: Outcomes,
  ruleWords: (rule: Rule) => Phrase,
): CatalogFlag {
  const { flag } = entries[0].entry
  const cells = entries.map(({ environment, entry }): CatalogCell => {
    const configuration = entry.environment
    const outcome = outcomes.of(environment, entry)
    const own = lines.get(environment) ?? []
    return {
      configuration,
      ...meaningOf(flag, configuration),
      differs: false,
      rules: (configuration?.rules ?? []).map((rule, at) => ({
        words: ruleWords(rule),
        line: own[at] ?? 1,
        ...outcome(at),
      })),
      otherwise: outcome(otherwiseOf(configuration)),
    }
  })
  return {
    flag,
    owner,
    tags,
    expires,
    path,
    isTested: outcomes.tested.has(flag.key),
    cells: cells.map((cell, at) => {
      const before = cells[at - 1]
      return before === undefined || doTheSame(before, cell) ? cell : { ...cell, differs: true }
    }),
  }
}

function otherwiseOf(configuration: Configuration | null): string {
  if (configuration === null) return "unconfigured"
  return configuration.enabled ? "default" : "disabled"
}
