import type { Json } from "../../sdk/contract/snapshot.ts"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { type Condition, type FlagUse, fold, type ListUse, type Reference, visit } from "./condition.ts"

/** What references mean at one point in time. */
export interface References {
  /** The names of all segments, including those with mistakes. */
  readonly names: readonly string[]
  /**
   * What `segment: <name>` means, no larger than any rule may be; `undefined` if there is no such segment, or it or one that
   * it uses has mistakes.
   */
  readonly get: (name: string) => Condition | undefined
  /** The flags that conditions may refer to; absent if none are needed. */
  readonly flags?: OtherFlags
  /** The files that flag files and segment files may name, by path in the flags folder; absent if none are needed. */
  readonly files?: DataFiles
}

/** The files with lists and schemas. */
export interface DataFiles {
  /** Absolute path of the flags folder. */
  readonly folder: string
  readonly names: readonly string[]
  readonly get: (name: string) => SourceFile | undefined
  /** Whether a file has a mistake of its own. */
  readonly isBroken: (name: string) => boolean
}

/** The flags of the project, as a condition of another flag sees them. */
export interface OtherFlags {
  readonly keys: () => readonly string[]
  readonly get: (key: string) => OtherFlag | undefined
  /** What a condition about a flag means; `undefined` if there is no such flag, it has mistakes, or it depends on itself. */
  readonly meaningOf: (use: FlagUse) => Condition | undefined
}

export interface OtherFlag {
  /** False if its file is a segment with the wrong name. */
  readonly isFlag: boolean
  /** Whether its file has a mistake of its own: what it gives is then unknown. */
  readonly isBroken: () => boolean
  readonly isBoolean: boolean
  /** All values that it can give in any environment. */
  readonly values: readonly Json[]
  /** The values that it can give in one environment. */
  readonly valuesIn: (environment: string) => readonly Json[]
  /** The keys of the flags that its conditions refer to in an environment. */
  readonly uses: (environment: string) => readonly string[]
}

/** The references in a condition's groups, in order. */
export function referencesIn(condition: Condition): readonly Reference[] {
  return [...visit(condition)].filter(isReference)
}

/** Whether a condition is a segment or another flag, by its kind: a written condition that was JSON has no member `means`. */
export function isReference(condition: Condition): condition is Reference {
  return condition.kind === "segment" || condition.kind === "flag"
}

/** The comparisons in a condition's groups with the lines of a file, in order. */
export function listUsesIn(condition: Condition): readonly ListUse[] {
  return [...visit(condition)].filter(isListUse)
}

function isListUse(condition: Condition): condition is ListUse {
  return condition.kind === "comparison" && condition.file !== undefined
}

/** Whether what a condition means depends on anything but its own text. */
export function refersToOthers(condition: Condition): boolean {
  return [...visit(condition)].some((part) => isReference(part) || isListUse(part))
}

/**
 * The condition in which each reference has the meaning that `meaningOf` returns: that of another flag when it is first
 * needed, because two flags can refer to each other in different environments. `linesOf` returns the lines of a file; without
 * it, comparisons with files stay as they are.
 */
export function resolved(
  condition: Condition,
  meaningOf: (reference: Reference) => Condition | undefined,
  linesOf?: (file: string) => readonly string[],
): Condition {
  if (!refersToOthers(condition)) return condition
  return fold(condition, (node, parts: readonly Condition[]): Condition => {
    if ("parts" in node) return { ...node, parts }
    if (node.kind === "segment") return { ...node, means: meaningOf(node) }
    if (isListUse(node)) return linesOf === undefined ? node : { ...node, operand: linesOf(node.file) }
    return node.kind === "flag" ? flagUse(node, () => meaningOf(node)) : node
  })
}

/** Without a spread, which would look up the meaning that the condition already has. */
function flagUse({ kind, key, environment, is, at }: FlagUse, meaning: () => Condition | undefined): FlagUse {
  return {
    ...{ kind, key, environment, is },
    get means() {
      return meaning()
    },
    ...(at && { at }),
  }
}

/** The condition with its references and files by name only and without places. It is JSON, but for numbers that are not finite. */
export function written(condition: Condition): Condition {
  return fold(condition, (node, parts: readonly Condition[]): Condition => {
    if ("parts" in node) return { kind: node.kind, parts }
    if (node.kind === "segment") return { kind: node.kind, name: node.name, means: undefined }
    if (node.kind !== "flag") {
      const { at: _, ...rest } = node
      return isListUse(rest) ? { ...rest, operand: [] } : rest
    }
    const { kind, key, environment, is } = node
    return { kind, key, environment, is, means: undefined }
  })
}

/** Whether each reference in a condition has a meaning. */
export function isResolved(condition: Condition): boolean {
  return referencesIn(condition).every(({ means }) => means !== undefined)
}

/** The condition, or what it means if it is a reference, so that a chain of references is as short as one. */
export function meant(condition: Condition): Condition | undefined {
  return isReference(condition) ? condition.means : condition
}

/**
 * The condition, or what it means if it is a segment. Another flag stands for itself, because its rules may change; `undefined`
 * for a segment that means nothing.
 */
export function standsFor(condition: Condition): Condition | undefined {
  return condition.kind === "segment" ? condition.means : condition
}

/** A text that is equal for references to one segment, and for those to one flag, environment and value. */
export function referenceName(reference: Reference): string {
  return reference.kind === "segment"
    ? JSON.stringify([reference.name])
    : JSON.stringify([reference.environment, reference.key, reference.is])
}

/** The references without those that refer to the same as an earlier one. */
export function distinct(references: Iterable<Reference>): readonly Reference[] {
  const byName = new Map<string, Reference>()
  for (const reference of references) {
    const name = referenceName(reference)
    if (!byName.has(name)) byName.set(name, reference)
  }
  return [...byName.values()]
}

/** The names of the segments among some references, and the keys of the flags; each once. */
export function namesOf(references: readonly Reference[]): {
  readonly segments: readonly string[]
  readonly flags: readonly string[]
} {
  const segments = references.flatMap((reference) => (reference.kind === "segment" ? [reference.name] : []))
  const flags = references.flatMap((reference) => (reference.kind === "flag" ? [reference.key] : []))
  return { segments: [...new Set(segments)], flags: [...new Set(flags)] }
}
