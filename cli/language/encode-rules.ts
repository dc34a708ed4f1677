import { hash } from "node:crypto"
import type { Json, Rule as SentRule } from "../../sdk/contract/snapshot.ts"
import { isGroupKind } from "../../sdk/evaluation/condition.ts"
import { canonicalJson } from "./canonical-json.ts"
import type { Condition } from "./condition.ts"
import { createEncode } from "./encode.ts"
import type { Rule } from "./flag.ts"

/** What a rule is for SDKs, before its condition is encoded. */
export interface RuleContent {
  /** Set by its author; `undefined`: it is made from the rule's meaning. */
  readonly id: string | undefined
  readonly condition: Condition
  readonly gives: Json
}

/** The rules of one configuration, each with what SDKs get for it, which is made when the first is asked for. `key`: the flag's. */
export function withSent(rules: readonly Omit<Rule, "sent">[], key: string): readonly Rule[] {
  let sent: readonly SentRule[] | undefined
  const sentAt = (at: number) => {
    sent ??= encodeRules(
      rules.map(({ writtenId, condition, gives }) => ({ id: writtenId?.text, condition, gives })),
      key,
    )
    return sent[at] as SentRule
  }
  return rules.map((rule, at) => ({
    ...rule,
    get sent() {
      return sentAt(at)
    },
  }))
}

/**
 * The rules of one configuration as SDKs get them, with their ids. A condition that cannot be encoded, which a check reports,
 * becomes a group that no SDK can read. `key`: the flag's.
 */
export function encodeRules(rules: readonly RuleContent[], key: string): readonly SentRule[] {
  const encode = createEncode(key)
  const taken = new Set<string>()
  for (const { id } of rules) if (id !== undefined) taken.add(id)
  return rules.map((rule) => {
    const { condition, gives: returnValue } = rule
    const { attribute, operator, value } = encode(condition) ?? unreadable(condition)
    const id = rule.id ?? freeId(meaningText({ attribute, operator, returnValue, value }), taken)
    taken.add(id)
    return { id, attribute, operator, value, returnValue } // without a spread: V8 writes such objects as JSON faster
  })
}

function unreadable({ kind }: Condition): Omit<SentRule, "id" | "returnValue"> {
  return { attribute: "", operator: isGroupKind(kind) ? kind : "any", value: "" }
}

/** Whether a rule's condition could be encoded. Of comparisons, `always` has neither an attribute nor a value. */
export function isReadable({ attribute, operator, value }: SentRule): boolean {
  return attribute !== "" || value !== "" || !isGroupKind(operator)
}

/** Canonical JSON that is equal for two rules that do the same, apart from their ids. */
export function meaningText({ attribute, operator, returnValue, value }: Omit<SentRule, "id">): string {
  if (typeof returnValue === "object") return canonicalJson({ attribute, operator, returnValue, value })
  return JSON.stringify({ attribute, operator, returnValue, value }) // the same text, many times faster
}

/** The first 8 hex digits of the meaning's SHA-256; more if two rules of one configuration share them. */
function freeId(meaning: string, taken: ReadonlySet<string>): string {
  const digest = hash("sha256", meaning)
  let length = 8
  while (taken.has(digest.slice(0, length)) && length < digest.length) length++
  return digest.slice(0, length)
}
