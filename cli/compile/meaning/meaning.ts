import { hash } from "node:crypto"
import type { Configuration, Json } from "../../../proxy/contract/snapshot.ts"
import type { Segments } from "../definition/segments.ts"
import { canonicalJson } from "./canonical-json.ts"
import { closeConfiguration, type OpenConfiguration } from "./configuration.ts"
import { createToWire } from "./wire-condition.ts"

/** Equal for equal meanings: SHA-256 in base64. */
export type Meaning = string

/** The meaning of JSON in which equal values are equal strings. */
export function meaningOf(json: string): Meaning {
  return hash("sha256", json, "base64")
}

/** A configuration's meaning. `json`: its `JSON.stringify`. */
export function meaningOfConfiguration(
  configuration: Omit<Configuration, "updatedAt">,
  json: string,
): Meaning {
  const hasOrder = configuration.rules.some(({ returnValue }) => hasParts(returnValue))
  return meaningOf(hasOrder ? canonicalJson(configuration as unknown as Json) : json)
}

/** Whether equal values can have different JSON: they can differ only in the order of members. */
export function hasParts(value: Json): boolean {
  return typeof value === "object" && value !== null
}

/** A configuration whose meaning depends on segments, as JSON in brackets, which no `Meaning` has. */
export type OpenText = string

export function openText(open: OpenConfiguration): OpenText {
  return `[${JSON.stringify(open)}]`
}

/** The rules before segments are expanded; `undefined` if they use none. */
export function openRules(text: Meaning | OpenText): OpenConfiguration["rules"] | undefined {
  return text.startsWith("[") ? JSON.parse(text)[0].rules : undefined
}

/** An open configuration's meaning with these segments. */
export function meaningWith(text: OpenText, segments: Segments): Meaning {
  const [open]: [OpenConfiguration] = JSON.parse(text)
  const closed = closeConfiguration(open, createToWire(segments))
  return meaningOfConfiguration(closed, JSON.stringify(closed))
}
