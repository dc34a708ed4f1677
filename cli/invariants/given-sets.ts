import {
  type ContextSet,
  complement,
  contextsOfRule,
  everything,
  intersection,
  nothing,
  union,
} from "../conditions/context-set.ts"
import { type Language, scopeOfKey } from "../conditions/predicate.ts"
import type { ResolvedFlag } from "../flag/resolve.ts"
import { sameValue } from "../language/canonical-json.ts"
import type { FlagUse } from "../language/condition.ts"
import { referenceName } from "../language/references.ts"

/** Returns the contexts to which flags give values. Of a flag that is not there, nothing is known. */
export function createGiven(
  flags: ReadonlyMap<string, ResolvedFlag>,
  language: Language,
): (use: FlagUse) => ContextSet {
  const known = new Map<string, ContextSet>()
  return (use) => {
    const name = referenceName(use)
    const flag = flags.get(use.key)
    const set = known.get(name) ?? (flag && givenSet(flag, use, language)) ?? opaque(name)
    known.set(name, set)
    return set
  }
}

function givenSet(flag: ResolvedFlag, { key, environment, is }: FlagUse, language: Language): ContextSet {
  const scope = scopeOfKey(key, language)
  const configuration = flag.configurations.get(environment)
  const rules = configuration?.enabled ? configuration.rules : []
  if (rules.length > mostRules)
    return opaque(referenceName({ kind: "flag", key, environment, is, means: undefined }))
  // From the last rule to the first: what is left for those below.
  return rules.reduceRight<ContextSet>(
    (rest, rule) => {
      const matching = contextsOfRule(rule, scope)
      return sameValue(rule.returnValue, is)
        ? union(matching, rest)
        : intersection(complement(matching), rest)
    },
    sameValue(flag.flag.defaultValue, is) ? everything : nothing,
  )
}

/** The sets are as deep as there are rules, and each level takes up some of the stack. */
const mostRules = 1_000

function opaque(name: string): ContextSet {
  return { kind: "opaque", name, holds: true, because: "bound" }
}
