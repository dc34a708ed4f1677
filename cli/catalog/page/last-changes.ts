import { compileEntries } from "../../../sdk/evaluation/compile-entries.ts"
import type { Context, Evaluator } from "../../../sdk/evaluation/evaluator.ts"
import type { FlagView } from "./flag-view.ts"

/** Since when a context has had a value, as far as the page knows. */
export interface LastChange {
  /** The position of the commit that gave the value. */
  readonly commitOf: number
  /** Whether the value may be older, because the page lacks the versions before that commit. */
  readonly mayBeOlder: boolean
}

/** Since when a context has had the value that a flag gives it in an environment; `undefined`: the page has no versions. */
export type LastChangeOf = (flag: FlagView, environment: number, context: Context) => LastChange | undefined

/** Compiles the flags' old versions, for each environment. */
export async function createLastChanges(
  flags: readonly FlagView[],
  environments: readonly string[],
): Promise<LastChangeOf> {
  const depth = Math.max(0, ...flags.map(({ versions }) => versions.length))
  const evaluators: readonly (readonly Evaluator[])[] = await Promise.all(
    environments.map((_, place) =>
      Promise.all(
        Array.from({ length: depth }, (_, at) =>
          compileEntries(flags.flatMap(({ versions }) => versions[at]?.entry(place) ?? [])),
        ),
      ),
    ),
  )
  return ({ key, versions, hasFirst }, environment, context) => {
    const valueAt = (at: number) => {
      const evaluation = evaluators[environment]?.[at]?.evaluate(key, context)
      return evaluation?.kind === "evaluated" ? JSON.stringify(evaluation.value) : evaluation?.kind
    }
    const now = valueAt(0)
    const other = versions.findIndex((_, at) => at > 0 && valueAt(at) !== now)
    const version = versions.at(other === -1 ? -1 : other - 1)
    return version && { commitOf: version.commitOf, mayBeOlder: other === -1 && !hasFirst }
  }
}
