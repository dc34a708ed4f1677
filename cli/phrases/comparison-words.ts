import type { Condition } from "../../sdk/evaluation/condition.ts"
import { attributeShare } from "../conditions/share-range.ts"
import { textsOf } from "../language/comparisons.ts"
import { type Operator, operatorOf } from "../language/operators.ts"
import { boundBy, boundsWords } from "./bounds.ts"
import { arePlaces, type Names } from "./clauses.ts"
import { joinLast, mostItems, type Phrase, phrase } from "./phrase.ts"
import { byWords, percent, shareWords } from "./share-words.ts"

/** A comparison that holds or does not, such as `with plan pro`. */
export function comparisonWords(condition: Condition, holds: boolean, names: Names): Phrase {
  const operator = operatorOf(condition.operator)
  return operator === undefined
    ? unknownWords(condition, holds)
    : [...exactWords(condition, operator, holds, names), ...caseWords(operator.ignoresCase)]
}

/** What follows words about texts if case is ignored. */
export function caseWords(ignoresCase: boolean): Phrase {
  return ignoresCase ? [" (ignoring case)"] : []
}

/** The words of a comparison, or of its twin that does not ignore case. */
export function exactWords(
  condition: Condition,
  { question, negates }: Operator,
  holds: boolean,
  names: Names,
): Phrase {
  const { attribute, value } = condition
  const isNegation = negates !== undefined
  switch (question.kind) {
    case "texts": {
      const texts = textsOf(condition)
      return isNegation ? noneOfWords(attribute, texts, holds) : oneOfWords(attribute, texts, holds, names)
    }
    case "part":
    case "expression": {
      const [does, doesNot] = question.verbs
      if (!isNegation) return phrase`whose ${attribute} ${[holds ? does : doesNot]} ${value}`
      if (holds) return phrase`with any ${attribute} that ${[doesNot]} ${value}`
      return phrase`whose ${attribute} ${[does]} ${value} or is missing`
    }
    case "bound": {
      const bound = boundBy(question, condition, holds)
      const ends = { low: bound.isUpper ? undefined : bound, high: bound.isUpper ? bound : undefined }
      return boundsWords({ ...bound, ...ends, orNone: !holds })
    }
    case "version":
      if (!question.isOther) return phrase`${[holds ? "on" : "not on"]} ${attribute} ${value}`
      return holds
        ? phrase`on ${attribute} other than ${value}`
        : phrase`whose ${attribute} is ${value} or missing`
    case "presence":
      return anyOrNone(attribute, holds === question.isPresent)
    case "share":
      return inShareWords(condition, holds)
    case "always":
      return ["of no kind"]
  }
}

function unknownWords({ attribute, operator, value }: Condition, holds: boolean): Phrase {
  const parts = [attribute, operator, value].filter((text) => text !== "")
  return phrase`${[holds ? "who match" : "who do not match"]} ${parts.join(" ")}`
}

function anyOrNone(attribute: string, isPresent: boolean): Phrase {
  return isPresent ? phrase`with any ${attribute}` : phrase`without ${[articleOf(attribute)]} ${attribute}`
}

function inShareWords(condition: Condition, holds: boolean): Phrase {
  const share = attributeShare(condition)
  if (share === undefined) return unknownWords(condition, holds)
  if (holds) return shareWords(share)
  const { attribute, seed, from, to } = share
  const by = byWords(attribute, seed)
  if (from === 0 && to === 100) return anyOrNone(attribute, false)
  return from === 0
    ? phrase`outside the first ${[percent(to)]} % ${by}`
    : phrase`not between ${[percent(from)]} % and ${[percent(to)]} % ${by}`
}

/** That an attribute is one of some texts, or is not, such as `in DE or AT`. */
export function oneOfWords(
  attribute: string,
  texts: readonly string[],
  holds: boolean,
  names: Names,
): Phrase {
  if (texts.length === 0) return phrase`with ${attribute} in ${"[]"}`
  if (arePlaces(attribute, texts) && attribute === names.place)
    return holds ? phrase`in ${anyOf(texts)}` : phrase`outside ${anyOf(texts, "and")}`
  return phrase`${[holds ? "with" : "without"]} ${attribute} ${anyOf(texts)}`
}

/** That an attribute is there and is none of some texts, or that this does not hold. */
export function noneOfWords(attribute: string, texts: readonly string[], holds: boolean): Phrase {
  if (texts.length === 0) return anyOrNone(attribute, holds)
  return holds
    ? phrase`with ${attribute} other than ${anyOf(texts)}`
    : phrase`whose ${attribute} is ${anyOf(texts, "or", ["missing"])}`
}

/** Texts, such as `a, b or c`. */
export function anyOf(items: readonly string[], and = "or", ...others: readonly Phrase[]): Phrase {
  const shown = items.slice(0, mostItems).map((item) => (item === "" ? ["empty"] : phrase`${item}`))
  const more = items.length - shown.length
  const all = [...shown, ...(more > 0 ? [[`${and === "or" ? "one of " : ""}${more} more`]] : []), ...others]
  return joinLast(all, and)
}

/** The article before a name; "u" is mostly read as in "user". */
export function articleOf(name: string): string {
  return /^[aeio]/i.test(name) ? "an" : "a"
}
