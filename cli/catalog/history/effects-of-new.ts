import type { EffectsOfNew } from "../../diff/changes/flag-changes.ts"
import type { Effect } from "../../diff/effects/effect.ts"
import { newFlagEffects } from "../../diff/effects/effects.ts"

/** Says who gets what of new flags: of those whose rules are written alike once, unless it may depend on their keys. */
export function createEffectsOfNew(): EffectsOfNew {
  const known = new Map<string, readonly Effect[]>()
  return (flag, environment, compileExpression) => {
    const configuration = flag.configurations.get(environment)
    const rules = configuration?.enabled ? configuration.rules : []
    const name = JSON.stringify([
      environment,
      flag.flag.defaultValue,
      rules.map(({ attribute, operator, value, returnValue }) => [attribute, operator, value, returnValue]),
    ])
    if (name.includes("percentage")) return newFlagEffects(flag, environment, compileExpression)
    const effects = known.get(name) ?? newFlagEffects(flag, environment, compileExpression)
    known.set(name, effects)
    return effects
  }
}
