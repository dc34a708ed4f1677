import type { FlagType } from "../compile/grammar/flag-types.ts"
import { canonicalJson } from "../compile/meaning/canonical-json.ts"
import { Failure } from "../failure.ts"

const examples: Readonly<Record<FlagType, string>> = {
  boolean: "true or false",
  string: "a text",
  number: "a number such as 10",
  json: "JSON such as '{\"limit\": 10}'",
}

/** What `--keep` says, as JSON. A text needs no quotes of JSON. Throws `Failure` where the value is not of the flag's type. */
export function valueToKeep(written: string, key: string, type: FlagType): string {
  const value = parsed(written)
  if (type === "json" && value !== undefined) return canonicalJson(value as never)
  if (typeof value === type) return JSON.stringify(value)
  if (type === "string") return JSON.stringify(written)
  throw new Failure(`--keep ${written}: the type of ${key} is ${type}, so write ${examples[type]}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
