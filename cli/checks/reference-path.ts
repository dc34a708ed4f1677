import { quoted } from "../diagnostics/suggest.ts"

/** The fewest names from one to another that it refers to, directly or through others; `undefined` if it does not. */
export function referencePath(
  start: string,
  end: string,
  usesOf: (name: string) => readonly string[],
): readonly string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]])
  for (const at of cameFrom.keys()) {
    if (at === end) return pathTo(end, cameFrom)
    for (const name of usesOf(at)) if (!cameFrom.has(name)) cameFrom.set(name, at) // visited later by the loop
  }
  return undefined
}

function pathTo(end: string, cameFrom: ReadonlyMap<string, string | undefined>): readonly string[] {
  const path: string[] = []
  for (let at: string | undefined = end; at !== undefined; at = cameFrom.get(at)) path.push(at)
  return path.reverse()
}

/** A path in words, of which a long one is cut. */
export function pathWords(names: readonly string[]): string {
  const path = names.map(quoted)
  const shown = path.length > mostShown ? [...path.slice(0, mostShown - 1), "…", ...path.slice(-1)] : path
  return shown.join(" → ")
}

/** A limit for the message, because a cycle may have thousands of names. */
export const mostShown = 10
