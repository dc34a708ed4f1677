import type { Condition } from "../../sdk/evaluation/condition.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { type Cost, costOf } from "../../sdk/evaluation/operators.ts"

/**
 * How many bytes of UTF-8 an attribute may have, by its name; others may have `mostBytes`. Contexts come from
 * strangers, and each flag whose rules use an attribute reads it again: ten thousand flags that hash 16 KiB each would
 * keep all other clients waiting for seconds.
 */
export type AttributeLimits = ReadonlyMap<string, number>

/** Lowers the limit of a comparison's attribute to its operator's limit. */
export function lowerLimit(limits: Map<string, number>, { attribute, operator }: Condition): void {
  limits.set(attribute, Math.min(limits.get(attribute) ?? mostBytes, limitOf(operator)))
}

function limitOf(operator: string): number {
  return mostByCost[costOf(operator) ?? "compares"]
}

/** How many bytes the attributes of a context have together, or a description of the first that exceeds its limit. */
export type MeasuredContext =
  | { readonly kind: "measured"; readonly bytes: number }
  | { readonly kind: "excess"; readonly description: string }

export function measureContext(context: Context, limits: AttributeLimits): MeasuredContext {
  let sum = 0
  for (const [name, attribute] of Object.entries(context)) {
    const isList = Array.isArray(attribute)
    const bytes = isList
      ? attribute.reduce<number>((sum, entry) => sum + entryBytes(entry), 0)
      : bytesOf(attribute)
    const most = limits.get(name) ?? mostBytes
    if (bytes > most) {
      const entries = isList ? ` in ${attribute.length} entries` : ""
      const description = `context.${shortened(name)} has ${bytes} bytes${entries}; the limit is ${most}`
      return { kind: "excess", description }
    }
    sum += bytes
  }
  return { kind: "measured", bytes: sum }
}

const mostBytes = 16 * 1024

const mostByCost: Readonly<Record<Cost, number>> = {
  compares: mostBytes,
  /** About 10 µs per rule. */
  scans: 1024,
  /** Five blocks of SHA-256. */
  hashes: 256,
}

/** A list's entry may be shorter, but comparing it costs as much as this many bytes. */
const leastEntry = 16

function entryBytes(entry: unknown): number {
  return Math.max(leastEntry, bytesOf(entry))
}

/** Counts only strings: no operator compares objects, or lists in lists. */
function bytesOf(value: unknown): number {
  return typeof value === "string" ? Buffer.byteLength(value) : 0
}

/** The name also comes from a stranger, and may be as long as the body. */
function shortened(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name
}
