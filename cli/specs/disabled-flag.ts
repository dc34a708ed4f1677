import { phrase, plainPhrase } from "../diagnostics/phrase.ts"
import type { Flag } from "../language/flag.ts"
import { conditionsIn } from "../reading/conditions-in-file.ts"

/** A flag that is disabled where a case would have to run. */
export interface DisabledFlag {
  readonly flag: string
  readonly environment: string
}

/**
 * The disabled flag in an environment because of which a spec says nothing about `flag` there: `flag`, or one that its
 * rules depend on, directly or through others. `undefined` if there is none.
 */
export function findDisabledFlag(
  flag: string,
  environment: string,
  flags: ReadonlyMap<string, Flag>,
): DisabledFlag | undefined {
  const reached = new Set([flag])
  for (const key of reached) {
    const reachedFlag = flags.get(key)
    if (reachedFlag === undefined) continue
    if (reachedFlag.configurations.get(environment)?.enabled === false) return { flag: key, environment }
    for (const condition of conditionsIn(reachedFlag))
      if (condition.kind === "flag" && condition.environment === environment) reached.add(condition.key)
  }
  return undefined
}

/** "`checkout` is disabled in `production`". */
export function disabledWords({ flag, environment }: DisabledFlag): string {
  return plainPhrase(phrase`${flag} is disabled in ${environment}`)
}
