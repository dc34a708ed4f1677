import type { Condition } from "../../sdk/evaluation/condition.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { type Cost, costOf, isMoment } from "../../sdk/evaluation/operators.ts"

/**
 * How long an attribute may be, by its name; others may have `mostBytes`. Anyone may send a context, and each flag
 * whose rules use an attribute reads it again: ten thousand flags that hash 16 KiB each would keep all other clients
 * waiting for seconds.
 */
export type AttributeLimits = ReadonlyMap<string, AttributeLimit>

export interface AttributeLimit {
  /** Of UTF-8. */
  readonly bytes: number
  /** How many comparisons read it; each reads all entries of a list. */
  readonly comparisons: number
  /** Whether one of them is with a time. */
  readonly isTime: boolean
}

/** Lowers the limit of a comparison's attribute to its operator's limit. */
export function lowerLimit(limits: Map<string, AttributeLimit>, { attribute, operator }: Condition): void {
  const { bytes, comparisons, isTime } = limits.get(attribute) ?? noLimit
  limits.set(attribute, {
    bytes: Math.min(bytes, limitOf(operator)),
    comparisons: comparisons + 1,
    isTime: isTime || isMoment(operator),
  })
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
    const limit = limits.get(name) ?? noLimit
    if (bytes > limit.bytes) {
      const entries = isList ? ` in ${attribute.length} entries` : ""
      return excess(name, `${bytes} bytes${entries}`, limit.bytes)
    }
    if (isList && attribute.length * limit.comparisons > mostReads)
      return excess(name, `${attribute.length} entries`, Math.floor(mostReads / limit.comparisons))
    sum += bytes
  }
  return { kind: "measured", bytes: sum }
}

function excess(name: string, size: string, limit: number): MeasuredContext {
  return { kind: "excess", description: `context.${shortened(name)} has ${size}; the limit is ${limit}` }
}

const mostBytes = 16 * 1024
const noLimit: AttributeLimit = { bytes: mostBytes, comparisons: 0, isTime: false }

/**
 * How often the entries of a list may be read for all flags: 0.1 to 0.2 s. 1,024 short entries, which are 16 KiB, are
 * too many from 9,766 comparisons on.
 */
const mostReads = 10_000_000

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
