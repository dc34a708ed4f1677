import type { Context } from "../../sdk/evaluation/evaluation.ts"

/**
 * What is wrong with the first attribute that has too much to compare, in a sentence; `undefined` if none has. Contexts come
 * from strangers, and each flag whose rules ask for an attribute reads all of it: a list within the longest body could keep
 * all other clients waiting.
 */
export function findExcess(context: Context): string | undefined {
  for (const [name, attribute] of Object.entries(context)) {
    const entries = Array.isArray(attribute) ? attribute : [attribute]
    if (entries.length > mostEntries)
      return `context.${shortened(name)} has ${entries.length} entries; at most ${mostEntries} are read`
    const bytes = entries.reduce((sum, entry) => sum + bytesOf(entry), 0)
    if (bytes > mostBytes)
      return `context.${shortened(name)} has ${bytes} bytes of text; at most ${mostBytes} are read`
  }
  return undefined
}

/** Of one list. */
const mostEntries = 1000

/** Of UTF-8, in one text or in all texts of one list. */
const mostBytes = 16 * 1024

/** No operator compares objects, or lists in lists. */
function bytesOf(entry: unknown): number {
  return typeof entry === "string" ? Buffer.byteLength(entry) : 0
}

/** The name is a stranger's, too, and may be as long as the body. */
function shortened(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name
}
