import type { CompileExpression } from "../../sdk/evaluation/expression.ts"
import { type OperatorScope, scopeOfFlag } from "../../sdk/evaluation/operators.ts"
import type { ResolvedFlag } from "../compile/flags/resolve.ts"
import type { KnownAttributes } from "../compile/grammar/known-attributes.ts"
import { sameValue } from "../compile/meaning/canonical-json.ts"
import {
  type ContextSet,
  complement,
  contextsOf,
  everything,
  intersection,
  nothing,
  union,
} from "../conditions/context-set.ts"
import type { SetScope } from "../conditions/predicate.ts"
import { type Condition, type FlagUse, never } from "../language/condition.ts"
import { decode } from "../language/encode.ts"
import { referenceName } from "../language/references.ts"

/** What conditions of a project mean outside its flags. */
export interface Language {
  readonly compileExpression: CompileExpression
  /** The project's attributes. */
  readonly attributes: KnownAttributes
}

/** The scope of the conditions of a flag; without a key, of those that belong to no flag. */
export function scopeOfKey(key: string, { compileExpression, attributes }: Language): SetScope {
  const scope: OperatorScope = scopeOfFlag(key, { compileExpression })
  return { ...scope, isScalar: (attribute) => (attributes?.get(attribute)?.type ?? "list") !== "list" }
}

/**
 * Returns the contexts of conditions that belong to no flag: each share has a seed. `givenBy` has the contexts to which a flag
 * gives a value.
 */
export function createSets(
  language: Language,
  givenBy: (use: FlagUse) => ContextSet,
): (condition: Condition) => ContextSet {
  const scope = scopeOfKey("", language)
  const setOf = (condition: Condition): ContextSet => {
    switch (condition.kind) {
      case "all":
        return intersection(...condition.parts.map(setOf))
      case "any":
        return union(...condition.parts.map(setOf))
      case "none":
        return complement(union(...condition.parts.map(setOf)))
      case "segment":
        return condition.means === undefined ? nothing : setOf(condition.means)
      case "flag":
        return givenBy(condition)
      default:
        return contextsOf(condition, scope)
    }
  }
  return setOf
}

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
      const matching = contextsOf(decode(rule, key) ?? never, scope)
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
