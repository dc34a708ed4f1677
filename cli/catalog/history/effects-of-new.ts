import type { EffectsOfNew } from "../../diff/changes/flag-changes.ts"
import type { Effect } from "../../diff/effects/effect.ts"
import { newFlagEffects } from "../../diff/effects/effects.ts"
import { nameAcrossKeys } from "./name-across-keys.ts"

/** Says who gets what of new flags. Rules that are written alike share a sentence, unless it may depend on the key. */
export function createEffectsOfNew(): EffectsOfNew {
  const known = new Map<string, readonly Effect[]>()
  return (flag, environment, compileExpression) => {
    const configuration = flag.configurations.get(environment)
    const rules = configuration?.enabled ? configuration.rules : []
    const name = nameAcrossKeys(
      [
        environment,
        flag.flag.defaultValue,
        rules.map(({ attribute, operator, value, returnValue }) => [attribute, operator, value, returnValue]),
      ],
      rules,
    )
    const before = name === undefined ? undefined : known.get(name)
    if (before !== undefined) return before
    const effects = newFlagEffects(flag, environment, compileExpression)
    if (name !== undefined && !effects.some(showsWitness)) known.set(name, effects)
    return effects
  }
}

/** Whether a sentence shows a context, which may be in a share of one flag and not of another. */
export function showsWitness({ moves }: Effect): boolean {
  return moves.some(({ isOnlyLists }) => isOnlyLists)
}
