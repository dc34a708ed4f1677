import { phrase, sentence } from "../diagnostics/phrase.ts"
import { type Condition, isAlways, isNever, never } from "../language/condition.ts"
import type { ImportedSegment } from "./form/form.ts"
import { type AddLoss, collectLosses, type Loss } from "./form/losses.ts"
import type { Node } from "./form/tree.ts"

/** A segment of the source. */
export interface SourceSegment {
  readonly name: string
  readonly description: string | undefined
  readonly condition: (addLoss: AddLoss) => Condition
}

/** The segments of one environment, each translated when a rule first uses it. */
export interface SegmentUses {
  readonly use: (key: string, node: Node, addLoss: AddLoss) => Condition
  readonly segments: readonly ImportedSegment[]
}

export function createSegmentUses(
  environment: string,
  find: (key: string) => SourceSegment | undefined,
): SegmentUses {
  const done = new Map<
    string,
    { readonly segment: ImportedSegment; readonly losses: readonly Loss[] } | "open"
  >()
  const segments: ImportedSegment[] = []
  function use(key: string, node: Node, addLoss: AddLoss): Condition {
    const source = find(key)
    if (source === undefined) {
      addLoss("import-segment-missing", node, phrase`the segment ${key} is not in the files`)
      return never
    }
    if (!done.has(key)) {
      done.set(key, "open")
      const own = collectLosses()
      const { name, description } = source
      const segment = { environment, name, description, condition: source.condition(own.addLoss) }
      done.set(key, { segment, losses: own.losses })
      segments.push(segment)
    }
    const found = done.get(key)
    if (found === undefined || found === "open") {
      addLoss("import-malformed", node, phrase`the segment ${key} refers to itself`)
      return never
    }
    const { name, condition } = found.segment
    for (const { code, message, phrase: what = sentence(message) } of found.losses)
      addLoss(code, node, phrase`in the segment ${name}: ${what}`)
    return isNever(condition) || isAlways(condition) ? condition : { kind: "segment", name, means: undefined }
  }
  return { use, segments }
}
