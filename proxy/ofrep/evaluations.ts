import { type CompiledFlag, evaluateFlag } from "../../sdk/evaluation/compile-flag.ts"
import type { Context, Evaluation } from "../../sdk/evaluation/evaluation.ts"
import { resolutionOf } from "../../sdk/evaluation/resolution.ts"
import { createItem, type Item } from "./item.ts"

/** What the flags of one snapshot evaluate to, ready to be sent. */
export interface Evaluations {
  /** `undefined`: there is no such flag. */
  one(key: string, context: Context): Item | undefined
  /** The body of the bulk answer: all flags, in the order of the document. */
  all(context: Context): string
}

/** A compiled flag, and what else its answers need. */
export interface PreparedFlag {
  readonly compiled: CompiledFlag
  readonly isStatic: boolean
  readonly isFloat: boolean
}

/** `flags` by key, in the order of the document. */
export function createEvaluations(flags: ReadonlyMap<string, PreparedFlag>): Evaluations {
  // A compiled flag holds the few evaluations that it can give, so each of them finds its item by identity.
  const items = new Map<Evaluation, Item>()
  const list = [...flags.values()]

  function itemOf({ compiled, isStatic, isFloat }: PreparedFlag, context: Context): Item {
    const evaluation = evaluateFlag(compiled, context)
    const known = items.get(evaluation)
    if (known !== undefined) return known
    const item = createItem(resolutionOf(evaluation, isStatic), isFloat)
    items.set(evaluation, item)
    return item
  }

  return {
    one(key, context) {
      const flag = flags.get(key)
      return flag && itemOf(flag, context)
    },
    all: (context) => `{"flags":[${list.map((flag) => itemOf(flag, context).text).join(",")}]}`,
  }
}
