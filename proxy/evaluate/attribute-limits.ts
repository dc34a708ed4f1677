import type { Condition } from "../../sdk/evaluation/condition.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"

/**
 * How many bytes of UTF-8 an attribute may have, by its name; others may have `mostBytes`. Contexts come from strangers,
 * and each flag whose rules use an attribute reads it again: ten thousand flags that hash 16 KiB would keep all other
 * clients waiting for seconds.
 */
export type AttributeLimits = ReadonlyMap<string, number>

/** Lowers the limit of a comparison's attribute to that of its operator. */
export function lowerLimit(limits: Map<string, number>, { attribute, operator }: Condition): void {
  limits.set(attribute, Math.min(limits.get(attribute) ?? mostBytes, limitOf(operator)))
}

function limitOf(operator: string): number {
  if (operator === "percentage" || operator === "share") return mostHashed
  return scanning.test(operator) ? mostScanned : mostBytes
}

/** What is wrong with the first attribute that has more than its limit, in a sentence; `undefined` if none has. */
export function findExcess(context: Context, limits: AttributeLimits): string | undefined {
  for (const [name, attribute] of Object.entries(context)) {
    const isList = Array.isArray(attribute)
    const bytes = isList
      ? attribute.reduce<number>((sum, entry) => sum + entryBytes(entry), 0)
      : bytesOf(attribute)
    const most = limits.get(name) ?? mostBytes
    if (bytes > most)
      return `context.${shortened(name)} has ${bytes} bytes${isList ? ` in ${attribute.length} entries` : ""}; at most ${most} are read`
  }
  return undefined
}

/** For shares: five blocks of SHA-256. */
const mostHashed = 256

/** For operators that read the whole text, some 10 µs per rule. */
const mostScanned = 1024
const scanning = /matches|contains|IgnoreCase|semver|Than/i

const mostBytes = 16 * 1024

/** The text of a list's entry may be short, but looking at it costs as much as so many bytes. */
const leastEntry = 16

function entryBytes(entry: unknown): number {
  return Math.max(leastEntry, bytesOf(entry))
}

/** No operator compares objects, or lists in lists. */
function bytesOf(value: unknown): number {
  return typeof value === "string" ? Buffer.byteLength(value) : 0
}

/** The name also comes from a stranger, and may be as long as the body. */
function shortened(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name
}
