import type { Change, Effect } from "./change.ts"

/** How much a change weighs, for whom, and why for nobody. */
export type Weighed = Pick<Change, "weight" | "affected" | "reason">

export const none: Weighed = { weight: "none", affected: [] }
export const definition: Weighed = { weight: "definition", affected: [] }

export function behaviour(affected: readonly Effect[]): Weighed {
  return { weight: "behaviour", affected }
}

/** Where nobody is affected, a definition. */
export function behaviourIfAny(affected: readonly Effect[]): Weighed {
  return affected.length > 0 ? behaviour(affected) : definition
}
