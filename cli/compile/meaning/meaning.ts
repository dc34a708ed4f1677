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

/** A configuration's meaning. */
export function meaningOfConfiguration(configuration: Omit<Configuration, "updatedAt">): Meaning {
  const hasOrder = configuration.rules.some(({ returnValue }) => hasParts(returnValue))
  return meaningOf(hasOrder ? canonicalJson(configuration as unknown as Json) : JSON.stringify(configuration))
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

/** An open configuration's meaning with these segments. */
export function meaningWith(text: OpenText, segments: Segments): Meaning {
  const [open]: [OpenConfiguration] = JSON.parse(text)
  return meaningOfConfiguration(closeConfiguration(open, createToWire(segments)))
}
