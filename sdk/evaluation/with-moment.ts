import type { Context } from "./evaluation.ts"

/** Adds the current moment to a context that lacks this attribute; `now` is in milliseconds since the epoch. */
export function withMoment<T extends Context>(context: T, attribute: string | undefined, now: number): T {
  if (attribute === undefined) return context
  const own = Object.hasOwn(context, attribute) ? context[attribute] : undefined
  return own === undefined || own === null ? { ...context, [attribute]: new Date(now) } : context
}
