import { compareText } from "../diagnostics/diagnostic.ts"
import type { FlagUse, Reference } from "../language/condition.ts"
import type { Configuration, Flag } from "../language/flag.ts"
import { referencesIn, refersToOthers } from "../language/references.ts"

/** Whether what a configuration means depends on segments, flags or lists in files. */
export function dependsOnOthers({ rules }: Configuration): boolean {
  return rules.some(({ condition }) => refersToOthers(condition))
}

/** The segments and flags that a configuration's rules refer to. */
function referencesOf({ rules }: Configuration): readonly Reference[] {
  return rules.flatMap(({ condition }) => referencesIn(condition))
}

/** The conditions of a flag about other flags. */
export function flagUsesIn({ configurations }: Flag): readonly FlagUse[] {
  return [...configurations.values()].flatMap((configuration) =>
    referencesOf(configuration).filter((reference) => reference.kind === "flag"),
  )
}

/** The keys of the flags that a flag depends on, in any environment, sorted. */
export function keysAskedBy(flag: Flag): readonly string[] {
  return [...new Set(flagUsesIn(flag).map(({ key }) => key))].sort(compareText)
}
