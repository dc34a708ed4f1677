import type { Context } from "./evaluation.ts"

/** The context's own member with exactly this name; `undefined` if it is missing, null, or throws when it is read. */
export function attributeOf(context: Context, name: string): unknown {
  try {
    // A polluted prototype must not become an attribute, and the context may be anything, even `null`.
    return Object.hasOwn(context, name) ? (context[name] ?? undefined) : undefined
  } catch {
    return undefined
  }
}
