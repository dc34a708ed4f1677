import type { Configuration, Flag, FlagEntry, Json, Rule } from "../../../proxy/contract/snapshot.ts"
import { canonicalJson } from "../../compile/meaning/canonical-json.ts"
import { sameRule } from "../../compile/meaning/same-rule.ts"
import { plural } from "../../diagnostics/plural.ts"
import { usersWho, valueWords } from "../../phrases/people.ts"
import { type Phrase, phrase } from "../../phrases/phrase.ts"
import type { CatalogCell, Reached } from "./catalog.ts"

/** What a flag does in an environment. `lines` are those of its rules. */
export function cellOf(
  name: string,
  { flag, environment }: FlagEntry,
  lines: readonly number[],
  reachedBy: (by: number | string) => Reached,
): Omit<CatalogCell, "differs"> {
  return {
    environment: name,
    configuration: environment,
    ...summaryOf(flag, environment),
    rules: (environment?.rules ?? []).map((rule, at) => ({
      words: ruleWords(rule),
      line: lines[at] ?? 1,
      ...reachedBy(at),
    })),
    otherwise: reachedBy(
      environment === null ? "unconfigured" : environment.enabled ? "default" : "disabled",
    ),
  }
}

/** Who gets what by a rule, as `diff` says it. */
function ruleWords(rule: Rule): Phrase {
  return phrase`${valueWords(rule.returnValue)} for ${usersWho(rule)}`
}

/** What a configuration amounts to, in a state and a few words. */
function summaryOf(
  { type, defaultValue }: Pick<Flag, "type" | "defaultValue">,
  configuration: Configuration | null,
): Pick<CatalogCell, "state" | "words" | "constant"> {
  const constantDefault = canonicalJson(defaultValue)
  if (configuration === null)
    return { state: "none", words: phrase`not configured`, constant: constantDefault }
  if (!configuration.enabled) return { state: "off", words: phrase`off`, constant: constantDefault }
  const [first] = configuration.rules
  if (first === undefined) return sameForAll(type, defaultValue)
  if (first.operator === "always") return sameForAll(type, first.returnValue)
  const words = configuration.rules.length === 1 ? shareWords(first, type) : undefined
  if (words !== undefined) return { state: "share", words, constant: undefined }
  return { state: "rules", words: [plural(configuration.rules.length, "rule")], constant: undefined }
}

function sameForAll(type: Flag["type"], value: Json): ReturnType<typeof summaryOf> {
  const constant = canonicalJson(value)
  if (type !== "boolean") return { state: "value", words: phrase`${shortJson(value)} for all`, constant }
  return {
    state: value === true ? "on" : "off",
    words: [value === true ? "on for all" : "off for all"],
    constant,
  }
}

function shareWords(
  { operator, attribute, value, returnValue }: Rule,
  type: Flag["type"],
): Phrase | undefined {
  if (operator !== "percentage") return undefined
  const share = phrase`${[value]} % by ${attribute}`
  return type === "boolean" && returnValue === true ? share : phrase`${share}: ${shortJson(returnValue)}`
}

/** A cell has room for so many characters of a value. */
const mostCharacters = 28

function shortJson(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > mostCharacters
    ? `${text.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, "")}…`
    : text
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
