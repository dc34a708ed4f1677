import type { Json } from "../../sdk/contract/snapshot.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"
import type { Flag } from "../language/flag.ts"

/**
 * The value of a flag that a word of a command line means. A flag with texts must give it somewhere already: a misspelt
 * one would reach users. Throws `Failure` for any other word.
 */
export function parseValue(word: string, flag: Flag): Json {
  const type = flag.type ?? "boolean"
  if (type === "string") {
    const given = [...flag.configurations.values()].flatMap(({ rules }) => rules.map(({ gives }) => gives))
    const texts = [...new Set([flag.defaultValue, ...given].map(String))]
    if (texts.includes(word)) return word
    throw new Failure(`${flag.key} never gives ${quoted(word)}${didYouMean(word, texts)}`)
  }
  if (type === "boolean") {
    if (word === "true" || word === "false") return word === "true"
    throw new Failure(
      `${flag.key} is a boolean, and ${quoted(word)} is not${didYouMean(word, ["true", "false"])}`,
    )
  }
  const value = parsed(word)
  if (value === undefined || (type === "number" && !Number.isFinite(value)))
    throw new Failure(`${flag.key} is ${type === "number" ? "a number" : "JSON"}, and ${quoted(word)} is not`)
  return value
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
