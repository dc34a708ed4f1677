import type { Configuration, Flag } from "../../sdk/contract/snapshot.ts"
import type { CompileExpression } from "../../sdk/evaluation/expression.ts"
import { contextsOf, everything } from "../conditions/context-set.ts"
import { type Language, scopeOfKey } from "../conditions/predicate.ts"
import { sharesIn } from "../conditions/share-range.ts"
import { valueChanges } from "../conditions/value-changes.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import { never } from "../language/condition.ts"
import { decode } from "../language/encode.ts"
import type { Project } from "../reading/project.ts"
import type { GivenSince } from "./assess.ts"

type FlagValues = Pick<Flag, "key" | "defaultValue">
type Rules = Pick<Configuration, "enabled" | "rules">

/** What a flag gives in each environment of its project, in the project's order. Values are canonical JSON. */
export function givenByFlag(
  {
    flag,
    configurations,
  }: { readonly flag: FlagValues; readonly configurations: ReadonlyMap<string, Rules> },
  {
    environments,
    protected: guarded,
    attributes,
  }: Pick<Project, "environments" | "protected" | "attributes">,
  compileExpression: CompileExpression,
): readonly Omit<GivenSince<string>, "changedAt">[] {
  return environments.map(({ name }) => ({
    environment: name,
    isProtected: guarded.includes(name),
    ...givenIn(flag, configurations.get(name) ?? null, { compileExpression, attributes }),
  }))
}

/**
 * What a flag gives in an environment; `null`: it is not configured there. That everyone gets one value is proven: if in
 * doubt, there are several.
 */
export function givenIn(
  { key, defaultValue }: FlagValues,
  configuration: Rules | null,
  language: Language,
): Pick<GivenSince<string>, "isEnabled" | "only" | "isShared"> {
  const isEnabled = configuration?.enabled === true
  const active = isEnabled ? configuration.rules : []
  const scope = scopeOfKey(key, language)
  const rules = active.map((rule) => {
    return { condition: decode(rule, key) ?? never, value: canonicalJson(rule.returnValue) }
  })
  const outcomes = [
    ...rules.map(({ condition, value }) => ({ contexts: contextsOf(condition, scope), value })),
    { contexts: everything, value: canonicalJson(defaultValue) },
  ]
  const { changes, possible, isCutShort } = valueChanges([{ contexts: everything, value: "" }], outcomes)
  const [only, ...others] = new Set([...changes, ...possible].map(({ after }) => outcomes[after]?.value))
  return {
    isEnabled,
    only: others.length === 0 && !isCutShort ? only : undefined,
    isShared: rules.some(({ condition }) => sharesIn(condition).length > 0),
  }
}
