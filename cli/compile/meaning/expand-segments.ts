import { deepestGroup, mostConditions, parseCondition } from "../../../sdk/evaluation/condition.ts"
import type { ExpandedSegment, Segments } from "../definition/segments.ts"
import { addUses, type OpenCondition } from "./open-condition.ts"
import { createToWire, isReadableOnWire } from "./wire-condition.ts"

/** Conditions by the names of their segments; `undefined` for a segment whose file has none. */
export type OpenSegments = ReadonlyMap<string, OpenCondition | undefined>

/** Earlier expansions, which are still right for segments that do not depend on the changed ones. */
interface Earlier {
  readonly expanded: ReadonlyMap<string, ExpandedSegment | undefined>
  readonly changed: ReadonlySet<string>
}

/** Segments, their conditions, and the expansions made so far. */
export interface KnownSegments extends Segments {
  readonly conditions: OpenSegments
  readonly expanded: ReadonlyMap<string, ExpandedSegment | undefined>
}

/** Expands each segment once, when it is needed. */
export function expandSegments(conditions: OpenSegments, earlier?: Earlier): KnownSegments {
  const expanded = new Map(earlier?.expanded)
  for (const name of earlier?.changed ?? []) expanded.delete(name)
  const names = [...conditions.keys()]
  const inner: Segments = { names, get: (name) => expanded.get(name) }
  /** Without recursion, because a chain of segments can be as long as there are files. */
  const expandWithOthers = (name: string) => {
    const begun = new Set<string>()
    const stack = [name]
    for (let next = name; stack.length > 0; next = stack.at(-1) ?? "") {
      const condition = conditions.get(next)
      const isReady = condition === undefined || expanded.has(next)
      const others = isReady || begun.has(next) ? [] : usesOf(condition).filter((one) => !begun.has(one))
      begun.add(next)
      if (others.length > 0) stack.push(...others)
      else {
        // A segment that needs itself is not expanded yet, and so has no expansion.
        if (!isReady) expanded.set(next, expand(condition, inner))
        stack.pop()
      }
    }
  }
  const get = (name: string) => {
    if (!expanded.has(name) && conditions.has(name)) expandWithOthers(name)
    return expanded.get(name)
  }
  return { names, get, conditions, expanded }
}

/** The names, and those of all segments that use them, directly or through others. */
export function withUsers(names: ReadonlySet<string>, conditions: OpenSegments): ReadonlySet<string> {
  const all = new Set(names)
  for (let size = -1; size < all.size; ) {
    size = all.size
    for (const [name, condition] of conditions)
      if (condition !== undefined && usesOf(condition).some((used) => all.has(used))) all.add(name)
  }
  return all
}

function usesOf(condition: OpenCondition): readonly string[] {
  const names = new Set<string>()
  addUses(condition, names)
  return [...names]
}

/** `undefined` if a segment in it has mistakes, or it is larger than any rule may be. */
function expand(condition: OpenCondition, segments: Segments): ExpandedSegment | undefined {
  const size = sizeOf(condition, segments)
  if (size === undefined || size.depth > deepestGroup || size.conditions > mostConditions) return undefined
  const whole = createToWire(segments)(condition)
  return "operator" in condition || isReadableOnWire(whole) ? { condition: whole, ...size } : undefined
}

/** How large a condition is once its segments are expanded. */
export type Size = Pick<ExpandedSegment, "depth" | "conditions">

/** `undefined` if a segment in it is unknown or has mistakes. */
function sizeOf(condition: OpenCondition, segments: Segments): Size | undefined {
  if ("operator" in condition) return { depth: 0, conditions: 0 }
  if ("segment" in condition) return segments.get(condition.segment)
  let [depth, conditions] = [0, condition.conditions.length]
  for (const part of condition.conditions) {
    const size = sizeOf(part, segments)
    if (size === undefined) return undefined
    depth = Math.max(depth, size.depth)
    conditions += size.conditions
  }
  return { depth: depth + 1, conditions }
}

/** The attributes that a condition compares, including those of its segments. */
export function attributesOf(condition: OpenCondition, segments: Segments): readonly string[] {
  if ("operator" in condition) {
    const parsed = parseCondition(condition)
    return "parts" in parsed
      ? parsed.parts.flatMap(({ condition }) => attributesOf(condition, segments))
      : [condition.attribute]
  }
  if ("conditions" in condition) return condition.conditions.flatMap((part) => attributesOf(part, segments))
  const segment = segments.get(condition.segment)
  return segment === undefined ? [] : attributesOf(segment.condition, segments)
}
