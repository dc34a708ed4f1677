import { hash } from "node:crypto"
import type { Configuration, Json, Rule } from "../../sdk/contract/snapshot.ts"
import { isGroupKind } from "../../sdk/evaluation/condition.ts"
import type { Condition, Reference } from "../language/condition.ts"
import type { Encode } from "../language/encode.ts"
import { referencesIn, refersToOthers } from "../language/references.ts"
import { meaningText } from "./rule-meaning.ts"

/** A configuration whose conditions are not yet encoded. */
export interface UnencodedConfiguration extends Omit<Configuration, "updatedAt" | "rules"> {
  readonly rules: readonly UnencodedRule[]
}

/** A rule whose condition is not yet encoded. */
export interface UnencodedRule {
  /** `undefined` if it is derived from the rule's meaning. */
  readonly id?: string | undefined
  readonly condition: Condition
  readonly returnValue: Json
}

/** Whether what a configuration means depends on segments, flags or lists in files. */
export function dependsOnOthers({ rules }: Pick<UnencodedConfiguration, "rules">): boolean {
  return rules.some(({ condition }) => refersToOthers(condition))
}

/** The segments and flags that a configuration's rules refer to. */
export function referencesOf({ rules }: Pick<UnencodedConfiguration, "rules">): readonly Reference[] {
  return rules.flatMap(({ condition }) => referencesIn(condition))
}

/**
 * The configuration as SDKs get it, with the ids of its rules. A condition that cannot be encoded, which a check reports,
 * becomes a group that no SDK can read.
 */
export function encodeConfiguration(
  { id, flagId, environmentId, enabled, rules }: UnencodedConfiguration,
  encode: Encode,
): Omit<Configuration, "updatedAt"> {
  return { id, flagId, environmentId, enabled, rules: encodeRules(rules, encode) }
}

function encodeRules(rules: readonly UnencodedRule[], encode: Encode): readonly Rule[] {
  const taken = new Set<string>()
  for (const { id } of rules) if (id !== undefined) taken.add(id)
  return rules.map((rule) => {
    const { condition, returnValue } = rule
    const { attribute, operator, value } = encode(condition) ?? unreadable(condition)
    const id = rule.id ?? freeId(meaningText({ attribute, operator, returnValue, value }), taken)
    taken.add(id)
    return { id, attribute, operator, value, returnValue } // without a spread: V8 writes such objects as JSON faster
  })
}

function unreadable({ kind }: Condition): Omit<Rule, "id" | "returnValue"> {
  return { attribute: "", operator: isGroupKind(kind) ? kind : "any", value: "" }
}

/** The first 8 hex digits of the meaning's SHA-256; more if two rules of one configuration share them. */
function freeId(meaning: string, taken: ReadonlySet<string>): string {
  const digest = hash("sha256", meaning)
  let length = 8
  while (taken.has(digest.slice(0, length)) && length < digest.length) length++
  return digest.slice(0, length)
}
