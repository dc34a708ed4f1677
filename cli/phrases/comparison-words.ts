import { joinLast, mostItems, type Phrase, phrase } from "../diagnostics/phrase.ts"
import { type Comparison, operandText, type Share } from "../language/condition.ts"
import { operators } from "../language/operators.ts"
import { namesTexts, textsOf } from "../language/texts.ts"
import { boundBy, boundsWords } from "./bounds.ts"
import { byWords, percent, shareWords } from "./share-words.ts"

/** The attribute whose values read as places in a sentence, so that it is not named: `in DE`. */
export type Place = string | undefined

/** A comparison that holds or does not, such as `with plan pro`. */
export function comparisonWords(comparison: Comparison, holds: boolean, place: Place): Phrase {
  return [...exactWords(comparison, holds, place), ...caseWords(comparison)]
}

/** What follows words about texts if case is ignored. */
export function caseWords({ ignoreCase }: Pick<Comparison, "ignoreCase">): Phrase {
  return ignoreCase ? [" (ignoring case)"] : []
}

/** The words of a comparison, or of its twin that does not ignore case. */
function exactWords(comparison: Comparison, holds: boolean, place: Place): Phrase {
  const { attribute, operator } = comparison
  const { question, negates } = operators.get(operator) ?? {}
  if (question === undefined) return unknownWords(comparison, holds)
  const isNegation = negates !== undefined
  const value = operandText(comparison)
  switch (question.kind) {
    case "texts": {
      const texts = textsOf(comparison)
      return isNegation ? noneOfWords(attribute, texts, holds) : oneOfWords(attribute, texts, holds, place)
    }
    case "part":
    case "expression": {
      const [does, doesNot] = question.verbs
      if (!isNegation) return phrase`whose ${attribute} ${[holds ? does : doesNot]} ${value}`
      if (holds) return phrase`with any ${attribute} that ${[doesNot]} ${value}`
      return phrase`whose ${attribute} ${[does]} ${value} or is missing`
    }
    case "bound": {
      const bound = boundBy(question, comparison, holds)
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
    case "always":
      return ["of no kind"]
  }
}

function unknownWords(comparison: Comparison, holds: boolean): Phrase {
  const { attribute, operator } = comparison
  const parts = [attribute, operator, operandText(comparison)].filter((text) => text !== "")
  return phrase`${[holds ? "who match" : "who do not match"]} ${parts.join(" ")}`
}

function anyOrNone(attribute: string, isPresent: boolean): Phrase {
  return isPresent ? phrase`with any ${attribute}` : phrase`without ${[articleOf(attribute)]} ${attribute}`
}

/** That users are in a share, or are not. */
export function inShareWords(share: Share, holds: boolean): Phrase {
  if (holds) return shareWords(share)
  const { by, from, to } = share
  if (from === 0 && to === 100) return anyOrNone(by, false)
  return from === 0
    ? phrase`outside the first ${[percent(to)]} % ${byWords(share)}`
    : phrase`not between ${[percent(from)]} % and ${[percent(to)]} % ${byWords(share)}`
}

/** That an attribute is one of some texts, or is not, such as `in DE or AT`. */
export function oneOfWords(
  attribute: string,
  texts: readonly string[],
  holds: boolean,
  place: Place,
): Phrase {
  if (texts.length === 0) return phrase`with ${attribute} in ${"[]"}`
  if (arePlaces(attribute, texts) && attribute === place)
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

/** Whether a comparison names places, such as countries. */
export function isPlace(comparison: Comparison): boolean {
  return namesTexts(comparison) && arePlaces(comparison.attribute, textsOf(comparison))
}

function arePlaces(attribute: string, texts: readonly string[]): boolean {
  return /(country|region|market|city|continent)$/i.test(attribute) && !texts.includes("")
}

/** Texts, such as `a, b or c`. */
export function anyOf(items: readonly string[], and = "or", ...others: readonly Phrase[]): Phrase {
  const shown = items.slice(0, mostItems).map((item) => (item === "" ? ["empty"] : phrase`${item}`))
  const more = items.length - shown.length
  const all = [
    ...shown,
    ...(more > 0 ? [[`${and === "or" && more > 1 ? "one of " : ""}${more} more`]] : []),
    ...others,
  ]
  return joinLast(all, and)
}

/** The article before a name; "u" is mostly read as in "user". */
export function articleOf(name: string): string {
  return /^[aeio]/i.test(name) ? "an" : "a"
}
