import type { Rule } from "../../../proxy/contract/snapshot.ts"
import { subjectOf, valueWords } from "../../phrases/people.ts"
import { type Phrase, phrase } from "../../phrases/phrase.ts"

/** Who gets what by a rule, as `diff` says it. */
export function ruleWords(rule: Rule): Phrase {
  const value = valueWords(rule.returnValue)
  return rule.operator === "always" ? phrase`everyone gets ${value}` : phrase`${subjectOf(rule)} get ${value}`
}
