import { hash } from "node:crypto"
import type { Json } from "../../sdk/contract/snapshot.ts"
import type { TimelessConfiguration } from "../flag/sent-flag.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import { encodeRules, type RuleContent } from "../language/encode-rules.ts"
import type { Configuration } from "../language/flag.ts"
import { type References, written } from "../language/references.ts"
import { segmentsAndListsIn } from "../reading/list-file.ts"
import { resolvedIn } from "../reading/references.ts"

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
export function meaningOfConfiguration(configuration: TimelessConfiguration): Meaning {
  const hasOrder = configuration.rules.some(({ returnValue }) => hasParts(returnValue))
  return meaningOf(hasOrder ? canonicalJson(configuration as unknown as Json) : JSON.stringify(configuration))
}

/** Whether equal values can have different JSON: they can differ only in the order of members. */
export function hasParts(value: Json): boolean {
  return typeof value === "object" && value !== null
}

/** A configuration whose conditions are written ones. */
interface WrittenConfiguration extends Omit<TimelessConfiguration, "rules"> {
  readonly rules: readonly RuleContent[]
}

/** A configuration's meaning before it is known what its references mean. */
export function referringMeaning({
  id,
  flagId,
  environmentId,
  enabled,
  rules,
}: Configuration): ReferringMeaning {
  const contents = rules.map(({ writtenId, condition, gives }) => {
    return { id: writtenId?.text, condition: written(condition), gives }
  })
  const segments = [...new Set(contents.flatMap(({ condition }) => segmentsAndListsIn(condition)))]
  const configuration: WrittenConfiguration = { id, flagId, environmentId, enabled, rules: contents }
  return { json: JSON.stringify(configuration), segments }
}

/** Its meaning with these segments, in the flag with this key. */
export function meaningWith({ json }: ReferringMeaning, references: References, key: string): Meaning {
  const configuration: WrittenConfiguration = JSON.parse(json)
  const rules = configuration.rules.map((rule) => {
    return { ...rule, condition: resolvedIn(references, rule.condition) }
  })
  return meaningOfConfiguration({ ...configuration, rules: encodeRules(rules, key) })
}
