import { hash } from "node:crypto"
import type { Configuration, Json, Rule } from "../../../proxy/contract/snapshot.ts"
import { addUses, hasUse, type OpenCondition } from "./open-condition.ts"
import { meaningText } from "./rule-meaning.ts"
import type { ToWire } from "./wire-condition.ts"

/** A configuration before its segments are expanded. It is JSON. */
export interface OpenConfiguration extends Omit<Configuration, "updatedAt" | "rules"> {
  readonly rules: readonly OpenRule[]
}

/** A rule before its segments are expanded. */
export interface OpenRule {
  /** `undefined` if it is derived from the rule's meaning. */
  readonly id?: string | undefined
  readonly condition: OpenCondition
  readonly returnValue: Json
}

/** The names of the segments that a configuration uses directly. */
export function segmentsIn({ rules }: OpenConfiguration): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { condition } of rules) addUses(condition, names)
  return names
}

/** Whether a configuration uses any segments. */
export function usesSegments({ rules }: OpenConfiguration): boolean {
  return rules.some(({ condition }) => hasUse(condition))
}

/** The configuration in its wire format, with the ids of its rules. */
export function closeConfiguration(
  { id, flagId, environmentId, enabled, rules }: OpenConfiguration,
  toWire: ToWire,
): Omit<Configuration, "updatedAt"> {
  return { id, flagId, environmentId, enabled, rules: closeRules(rules, toWire) }
}

function closeRules(open: readonly OpenRule[], toWire: ToWire): readonly Rule[] {
  const taken = new Set<string>()
  for (const { id } of open) if (id !== undefined) taken.add(id)
  return open.map((rule) => {
    const { returnValue } = rule
    const { attribute, operator, value } = toWire(rule.condition)
    const id = rule.id ?? freeId(meaningText({ attribute, operator, returnValue, value }), taken)
    taken.add(id)
    return { id, attribute, operator, value, returnValue } // without a spread: V8 writes such objects as JSON faster
  })
}

/** The first 8 hex digits of the meaning's SHA-256; more if two rules of one configuration share them. */
function freeId(meaning: string, taken: ReadonlySet<string>): string {
  const digest = hash("sha256", meaning)
  let length = 8
  while (taken.has(digest.slice(0, length)) && length < digest.length) length++
  return digest.slice(0, length)
}
