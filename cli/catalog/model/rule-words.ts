import type { Rule } from "../../../proxy/contract/snapshot.ts"
import { subjectOf, valueWords } from "../../phrases/people.ts"
import { type Phrase, phrase } from "../../phrases/phrase.ts"

/** Who gets what by a rule, as `diff` says it. */
function ruleWords(rule: Rule): Phrase {
  const value = valueWords(rule.returnValue)
  return rule.operator === "always" ? phrase`everyone gets ${value}` : phrase`${subjectOf(rule)} get ${value}`
}

/** Says who gets what by the rules of many flags: those that are written alike share a phrase. */
export function createRuleWords(): (rule: Rule) => Phrase {
  const known = new Map<string, Phrase>()
  return (rule) => {
    const { attribute, operator, value, returnValue } = rule
    const name = JSON.stringify([attribute, operator, value, returnValue])
    const words = known.get(name) ?? ruleWords(rule)
    known.set(name, words)
    return words
  }
}
