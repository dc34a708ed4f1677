import { expect } from "vitest"
import type { TimelessConfiguration } from "../../../cli/flag/sent-flag.ts"
import type { Json } from "../../../sdk/contract/snapshot.ts"
import type { Condition } from "../../../sdk/evaluation/condition.ts"
import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { matches } from "./matches.ts"

// Reads diff's output as programs would, and checks it against the SDK's evaluation.

/** A flag in one environment on one side. */
export interface Given {
  readonly key: string
  readonly defaultValue: Json
  readonly configuration: TimelessConfiguration | undefined
}

/** A member of `affected` in the JSON. */
export interface Affected {
  readonly sentence: string
  readonly before?: Json
  readonly after?: Json
  readonly condition?: Condition
  readonly exact?: boolean
  readonly doubt?: string
  readonly witness?: Context
}

/** What a context gets, according to the SDK. */
export function givenTo({ key, defaultValue, configuration }: Given, context: Context): Json {
  const rules = configuration?.enabled ? configuration.rules : []
  const rule = rules.find((one) => matches(one, context, key))
  return rule === undefined ? defaultValue : rule.returnValue
}

/** JSON that does not depend on the order of members. */
export function canonical(value: unknown): string {
  if (typeof value !== "object") return JSON.stringify(value)
  return JSON.stringify(value, (_, one) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}

/**
 * Checks that a context goes from one value to another exactly if the condition of an entry with these values matches it.
 * Without a flag before, every context goes to what it gets. Returns the doubts. A witness has to be right in all its
 * variants.
 */
export function checkAffected(
  before: Given | undefined,
  after: Given,
  affected: readonly Affected[],
  world: readonly Context[],
  variantsOf: (witness: Context) => readonly Context[] = (witness) => [witness],
  conditionIn: (condition: Condition) => Condition = (condition) => condition,
): readonly string[] {
  const entries = affected.flatMap((one) =>
    one.condition === undefined
      ? []
      : [
          {
            ...one,
            from: "before" in one ? canonical(one.before) : undefined,
            to: canonical(one.after),
            condition: conditionIn(one.condition),
          },
        ],
  )
  const isTrue = (context: Context) => {
    const [from, to] = [before && canonical(givenTo(before, context)), canonical(givenTo(after, context))]
    let isFound = from === to
    for (const entry of entries) {
      const isRight = entry.from === from && entry.to === to
      if (isRight ? isFound : entry.exact !== true) continue
      if (!matches(entry.condition, context, after.key)) continue
      if (!isRight) return false
      isFound = true
    }
    return isFound
  }
  for (const context of world) if (!isTrue(context)) expect([context, affected]).toBe("true")
  for (const { from, to, witness, exact, condition } of entries) {
    expect(from).not.toBe(to)
    if (witness === undefined) continue
    expect(exact).toBe(true)
    for (const context of variantsOf(witness))
      expect([
        before && canonical(givenTo(before, context)),
        canonical(givenTo(after, context)),
        matches(condition, context, after.key),
      ]).toEqual([from, to, true])
  }
  return entries.flatMap(({ doubt }) => doubt ?? [])
}
