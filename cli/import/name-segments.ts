import { type Condition, mapLeaves, visit } from "../language/condition.ts"
import type { Imported, ImportedSegment } from "./form/form.ts"

/** A segment as it is written, and the environments that use this version of it. */
export interface NamedSegment extends Omit<ImportedSegment, "environment"> {
  readonly environments: readonly string[]
}

/**
 * Gives segments names that Flagstone allows. A segment that differs between environments becomes several.
 */
export function nameSegments(imported: Imported): {
  readonly imported: Imported
  readonly segments: readonly NamedSegment[]
} {
  if (imported.segments.length === 0) return { imported, segments: [] }
  const named: NamedSegment[] = []
  const taken = new Set<string>()
  const names = new Map<string, string>()
  for (const [name, versions] of Map.groupBy(imported.segments, (one) => one.name)) {
    const meanings = [...Map.groupBy(versions, ({ condition }) => JSON.stringify(condition)).values()]
    // The version that most environments use keeps the name, so that it stays when another environment parts; of several, the last.
    const usual = meanings.toSorted((a, b) => a.length - b.length).at(-1)
    for (const same of meanings) {
      const [first] = same
      if (first === undefined) continue
      const environments = same.map(({ environment }) => environment)
      const free = freeName(name, same === usual ? "" : `-${environments.join("-")}`, taken)
      for (const environment of environments) names.set(JSON.stringify([environment, name]), free)
      named.push({ ...first, name: free, environments })
    }
  }
  const renameIn = (environment: string) => (condition: Condition) =>
    mapLeaves(condition, (leaf) =>
      leaf.kind === "segment"
        ? { ...leaf, name: names.get(JSON.stringify([environment, leaf.name])) ?? leaf.name }
        : leaf,
    )
  return {
    segments: named.map((one) => ({ ...one, condition: renameIn(one.environments[0] ?? "")(one.condition) })),
    imported: {
      ...imported,
      flags: imported.flags.map((flag) => ({
        ...flag,
        configurations: flag.configurations.map((one) => ({
          ...one,
          guards: one.guards.map((guard) => ({ ...guard, when: renameIn(one.environment)(guard.when) })),
        })),
      })),
    },
  }
}

/** A name that no other segment has. What follows it is kept if it must be cut. */
function freeName(name: string, end: string, taken: Set<string>): string {
  const written = (text: string) => text.replace(/[^A-Za-z0-9._-]+/g, "-")
  const start = written(name).replace(/^[^A-Za-z0-9]+/, "") || "segment"
  const suffix = written(end).slice(0, 30)
  const base = `${start.slice(0, 60 - suffix.length)}${suffix}`
  let free = base
  for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${base}-${number}`
  taken.add(free.toLowerCase())
  return free
}

/** The names of the segments that a condition uses directly. */
export function segmentsIn(condition: Condition): readonly string[] {
  return [...visit(condition)].flatMap((part) => (part.kind === "segment" ? part.name : []))
}
