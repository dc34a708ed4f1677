import type { Context } from "../../sdk/evaluation/evaluation.ts"

/**
 * A context as JSON and YAML have it: a moment becomes a string (RFC 3339), which means the same. `undefined` if they
 * cannot express it: an infinite number, a year with more than four digits, a lone surrogate.
 */
export function jsonContext(context: Context): Context | undefined {
  return Object.values(context).every(isExpressible) ? JSON.parse(JSON.stringify(context)) : undefined
}

function isExpressible(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isExpressible)
  if (value instanceof Date) return /^\d{4}-/.test(value.toJSON())
  return typeof value === "number"
    ? Number.isFinite(value)
    : typeof value !== "string" || value.isWellFormed()
}
