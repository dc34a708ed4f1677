import { deepestGroup, mostConditions } from "../../sdk/evaluation/condition.ts"
import { type Condition, sizeOf } from "../language/condition.ts"
import { createEncode } from "../language/encode.ts"
import { isResolved, meant, type References } from "../language/references.ts"
import { isListName, segmentsAndListsIn } from "../reading/list-file.ts"
import { resolvedIn } from "../reading/references.ts"

/** Written conditions by the names of their segments and lists; `undefined` for one whose file has none. */
export type WrittenSegments = ReadonlyMap<string, Condition | undefined>

/** Meanings found earlier, which are still right for segments that do not depend on the changed ones. */
interface Earlier {
  readonly meanings: ReadonlyMap<string, Condition | undefined>
  readonly changed: ReadonlySet<string>
}

/** Segments, their conditions as written, and the meanings found so far. */
export interface KnownSegments extends References {
  readonly conditions: WrittenSegments
  readonly meanings: ReadonlyMap<string, Condition | undefined>
}

/** Resolves each segment once, when it is needed. */
export function resolveSegments(conditions: WrittenSegments, earlier?: Earlier): KnownSegments {
  const meanings = new Map(earlier?.meanings)
  for (const name of earlier?.changed ?? []) meanings.delete(name)
  const names = [...conditions.keys()].filter((name) => !isListName(name))
  const inner: References = { names, get: (name) => meanings.get(name) }
  /** Without recursion, because a chain of segments can be as long as there are files. */
  const resolveWithOthers = (name: string) => {
    const begun = new Set<string>()
    const stack = [name]
    for (let next = name; stack.length > 0; next = stack.at(-1) ?? "") {
      const condition = conditions.get(next)
      const isReady = condition === undefined || meanings.has(next)
      const others =
        isReady || begun.has(next) ? [] : segmentsAndListsIn(condition).filter((used) => !begun.has(used))
      begun.add(next)
      if (others.length > 0) stack.push(...others)
      else {
        // A segment that needs itself is not resolved yet, and so has no meaning.
        if (!isReady) meanings.set(next, resolve(condition, inner))
        stack.pop()
      }
    }
  }
  const get = (name: string) => {
    if (!meanings.has(name) && conditions.has(name)) resolveWithOthers(name)
    return meanings.get(name)
  }
  return { names, get, conditions, meanings }
}

/** The names of segments and lists, and those of all segments that use them, directly or through others. */
export function withUsers<T>(
  names: ReadonlySet<string>,
  segments: Iterable<readonly [name: string, segment: T]>,
  usesOneOf: (segment: T, names: ReadonlySet<string>) => boolean,
): ReadonlySet<string> {
  const all = new Set(names)
  for (let size = -1; size < all.size; ) {
    size = all.size
    for (const [name, segment] of segments) if (usesOneOf(segment, all)) all.add(name)
  }
  return all
}

/** Whether a segment's condition names a segment or a list that is one of these. */
export function namesOneOf(condition: Condition | undefined, names: ReadonlySet<string>): boolean {
  return condition !== undefined && segmentsAndListsIn(condition).some((used) => names.has(used))
}

/** `undefined` if a segment in it has mistakes, or it is larger than any rule may be. */
function resolve(condition: Condition, references: References): Condition | undefined {
  const meaning = meant(resolvedIn(references, condition))
  if (meaning === undefined || !isResolved(meaning)) return undefined
  const { depth, conditions } = sizeOf(meaning)
  if (depth > deepestGroup || conditions > mostConditions) return undefined
  return createEncode(undefined)(meaning) && meaning
}
