import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { type Member, toValue } from "../language/tree.ts"

/** The maximum number of contexts in one spec's cases, in all environments together. */
export const mostContexts = 30_000

/** The context with every combination of the attributes' values; the last attribute varies fastest. */
export function combine(context: Context, matrix: readonly Member[]): readonly Context[] {
  return matrix.reduce<readonly Context[]>(
    (contexts, { name, value }) => {
      const values = value.kind === "sequence" ? value.items.map(toValue) : []
      return contexts.flatMap((one) => values.map((item) => withAttribute(one, name, item)))
    },
    [context],
  )
}

/** The context with an attribute; one named `__proto__` becomes an ordinary own member. */
export function withAttribute(context: Context, name: string, value: unknown): Context {
  return Object.fromEntries([...Object.entries(context), [name, value]])
}
