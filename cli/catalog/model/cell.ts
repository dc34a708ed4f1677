import type { Flag, Json, Rule } from "../../../proxy/contract/snapshot.ts"
import { canonicalJson } from "../../compile/meaning/canonical-json.ts"
import { sameRule } from "../../compile/meaning/same-rule.ts"
import { plural } from "../../diagnostics/plural.ts"
import { type Phrase, phrase } from "../../phrases/phrase.ts"
import type { Content } from "../versions/content.ts"
import type { CellMeaning } from "./catalog-flag.ts"

/** What a configuration amounts to, in a state and a few words. */
export function meaningOf(
  { type, defaultValue }: Pick<Flag, "type" | "defaultValue">,
  configuration: Content | undefined,
): Pick<CellMeaning, "state" | "words" | "constant"> {
  const constantDefault = canonicalJson(defaultValue)
  if (configuration === undefined)
    return { state: "none", words: phrase`not configured`, constant: constantDefault }
  if (!configuration.enabled) return { state: "off", words: phrase`off`, constant: constantDefault }
  const [first] = configuration.rules
  if (first === undefined) return sameForAll(type, defaultValue)
  if (first.operator === "always") return sameForAll(type, first.returnValue)
  const words = configuration.rules.length === 1 ? shareWords(first, type) : undefined
  if (words !== undefined) return { state: "share", words, constant: undefined }
  return { state: "rules", words: [plural(configuration.rules.length, "rule")], constant: undefined }
}

function sameForAll(type: Flag["type"], value: Json): ReturnType<typeof meaningOf> {
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

/** Whether two environments of one flag do the same to everybody. */
export function doTheSame(before: CellMeaning, after: CellMeaning): boolean {
  if (before.constant !== undefined || after.constant !== undefined) return before.constant === after.constant
  const [one, other] = [before.content?.rules ?? [], after.content?.rules ?? []]
  return one.length === other.length && one.every((rule, at) => sameRule(rule, other[at] as Rule))
}
