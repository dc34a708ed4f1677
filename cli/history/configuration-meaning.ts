import { hash } from "node:crypto"
import type { Configuration, Json } from "../../sdk/contract/snapshot.ts"
import { encodeConfiguration, type UnencodedConfiguration } from "../flag/configuration.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import { createEncode } from "../language/encode.ts"
import { written } from "../language/references.ts"
import { segmentsAndListsIn } from "../reading/list-file.ts"
import { resolvedIn, type Segments } from "../reading/segments.ts"

/** Equal for equal meanings: SHA-256 in base64. */
export type Meaning = string

/** A configuration whose meaning depends on segments. */
export interface ReferringMeaning {
  /** The configuration with written conditions, as JSON: the history has thousands of them in memory. */
  readonly json: string
  /** The names of the segments and lists that its rules use themselves. */
  readonly segments: readonly string[]
}

/** The meaning of JSON in which equal values are equal strings. */
export function meaningOf(json: string): Meaning {
  return hash("sha256", json, "base64")
}

/** A configuration's meaning. */
export function meaningOfConfiguration(configuration: Omit<Configuration, "updatedAt">): Meaning {
  const hasOrder = configuration.rules.some(({ returnValue }) => hasParts(returnValue))
  return meaningOf(hasOrder ? canonicalJson(configuration as unknown as Json) : JSON.stringify(configuration))
}

/** Whether equal values can have different JSON: they can differ only in the order of members. */
export function hasParts(value: Json): boolean {
  return typeof value === "object" && value !== null
}

/** A configuration's meaning before it is known what its references mean. */
export function referringMeaning(configuration: UnencodedConfiguration): ReferringMeaning {
  const rules = configuration.rules.map((rule) => ({ ...rule, condition: written(rule.condition) }))
  const segments = [...new Set(rules.flatMap(({ condition }) => segmentsAndListsIn(condition)))]
  return { json: JSON.stringify({ ...configuration, rules }), segments }
}

/** Its meaning with these segments, in the flag with this key. */
export function meaningWith({ json }: ReferringMeaning, segments: Segments, key: string): Meaning {
  const configuration: UnencodedConfiguration = JSON.parse(json)
  const rules = configuration.rules.map((rule) => ({
    ...rule,
    condition: resolvedIn(segments, rule.condition),
  }))
  return meaningOfConfiguration(encodeConfiguration({ ...configuration, rules }, createEncode(key)))
}
