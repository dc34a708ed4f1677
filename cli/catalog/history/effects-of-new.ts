import type { Json, Rule } from "../../../proxy/contract/snapshot.ts"
import type { EffectsOfNew } from "../../diff/changes/flag-changes.ts"
import type { Effect } from "../../diff/effects/effect.ts"
import { newFlagEffects } from "../../diff/effects/effects.ts"
import { isSameAcrossKeys } from "./same-across-keys.ts"

/** Says who gets what of new flags. Rules that are written alike share a sentence, unless it may depend on the key. */
export function createEffectsOfNew(): EffectsOfNew {
  const known = new Map<string, readonly Effect[]>()
  return (flag, environment, compileExpression) => {
    const configuration = flag.configurations.get(environment)
    const rules = configuration?.enabled ? configuration.rules : []
    const name = JSON.stringify([environment, flag.flag.defaultValue, rules.map(withoutId)])
    const alike = known.get(name)
    if (alike !== undefined) return alike
    const effects = newFlagEffects(flag, environment, compileExpression)
    if (!effects.some(showsWitness) && isSameAcrossKeys(rules)) known.set(name, effects)
    return effects
  }
}

/** What a rule says, without its id. */
export function withoutId({ attribute, operator, value, returnValue }: Rule): Json {
  return [attribute, operator, value, returnValue]
}

/** Whether a sentence shows a context, which may be in a share of one flag and not of another. */
export function showsWitness({ moves }: Effect): boolean {
  return moves.some(({ isOnlyLists }) => isOnlyLists)
}
