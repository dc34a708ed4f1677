import { hash } from "node:crypto"
import type { Configuration, Json } from "../../../proxy/contract/snapshot.ts"
import type { Segments } from "../definition/segments.ts"
import { canonicalJson } from "./canonical-json.ts"
import { closeConfiguration, type OpenConfiguration } from "./configuration.ts"
import { createTravel } from "./travelling.ts"

/** JSON that is equal for equal meanings; or its digest, which is shorter. */
export type Meaning = string

/** Whether two meanings are the same, in whichever form each is. `undefined`: there was nothing, which equals no meaning. */
export function isSameMeaning(before: Meaning | undefined, after: Meaning): boolean {
  if (before === after) return true
  if (before === undefined || (isJson(before) && isJson(after))) return false
  return toDigest(before) === toDigest(after)
}

/** A digest is base64, which has no brace. */
function isJson(meaning: Meaning): boolean {
  return meaning.startsWith("{")
}

/** 132 bits of SHA-256 in base64. */
export function toDigest(meaning: Meaning): Meaning {
  return isJson(meaning) ? hash("sha256", meaning, "base64").slice(0, 22) : meaning
}

/** JSON that is equal for configurations that mean the same. */
export function configurationText(configuration: Omit<Configuration, "updatedAt">): string {
  return configuration.rules.some(({ returnValue }) => hasParts(returnValue))
    ? canonicalJson(configuration as unknown as Json)
    : JSON.stringify(configuration)
}

/** Whether equal values can have different JSON: only the order of members has no meaning. */
export function hasParts(value: Json): boolean {
  return typeof value === "object" && value !== null
}

/** An open configuration as text, which begins with a bracket, as no JSON of a configuration and no digest does. */
export function openText(open: OpenConfiguration): string {
  return `[${JSON.stringify(open)}]`
}

/** What the text of an open configuration means with some segments: JSON that is equal for equal meanings. */
export function closeText(text: string, segments: Segments): string {
  const [open]: [OpenConfiguration] = JSON.parse(text)
  return configurationText(closeConfiguration(open, createTravel(segments)))
}
