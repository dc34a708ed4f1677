import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { all, any, type Condition, none } from "../language/condition.ts"
import type { References } from "../language/references.ts"
import {
  type MappingNode,
  memberOf,
  type Node,
  type ParsedFile,
  type Text,
  writtenText,
} from "../language/tree.ts"
import { toCondition } from "./condition.ts"
import { pathIn, resolvedIn } from "./references.ts"

/** A sentence that holds for every user, as an author wrote it. */
export interface DefinedInvariant {
  readonly source: SourceFile
  /** Its item in the file's list. */
  readonly root: MappingNode
  /** `""` at the item's start if it has none. */
  readonly name: Text
  /** The environments in which it must hold, as written; all by default. */
  readonly environments: readonly string[]
  /** Whether it may be unknown if it holds. */
  readonly mayBeUnknown: boolean
  /** Its conditions in the first of its environments. */
  readonly conditions: readonly Condition[]
  /** The condition that no user may fulfil in an environment; `undefined` if the invariant says nothing, which is reported. */
  readonly violationIn: (environment: string) => Condition | undefined
  readonly references: References
}

/** Reads the invariants of a file, even those with mistakes. `environments`: the project's. */
export function toInvariants(
  { source, root }: ParsedFile,
  environments: readonly string[],
  segments: References,
): readonly DefinedInvariant[] {
  const items = root.kind === "sequence" ? root.items : []
  return items.flatMap((item) =>
    item.kind === "mapping" ? toInvariant(item, source, environments, segments) : [],
  )
}

function toInvariant(
  root: MappingNode,
  source: SourceFile,
  all: readonly string[],
  segments: References,
): DefinedInvariant {
  const [named, unless] = [writtenText(fieldOf(root, "name")), writtenText(fieldOf(root, "unless"))]
  const written = itemsOf(fieldOf(root, "environments")).flatMap((item) => writtenText(item)?.text ?? [])
  const environments = written.length === 0 ? all : written
  const path = pathIn(segments, source)
  const conditionsOf = (name: string, environment: string) =>
    nodesOf(fieldOf(root, name)).map((node) =>
      resolvedIn(segments, toCondition(node, { path, rule: { key: undefined, environment } })),
    )
  const [first = ""] = environments
  return {
    source,
    root,
    name: named ?? { text: "", span: root.members[0]?.nameSpan ?? root },
    environments,
    mayBeUnknown: unless?.text === "unknown",
    conditions: ["never", "if", "then", "atMostOne"].flatMap((name) => conditionsOf(name, first)),
    violationIn: (environment) =>
      violationOf((name) => {
        const conditions = conditionsOf(name, environment)
        return conditions.length === 0 ? undefined : conditions
      }),
    references: segments,
  }
}

/** What breaks a sentence, given the conditions in each of its fields. */
function violationOf(
  conditionsIn: (name: string) => readonly Condition[] | undefined,
): Condition | undefined {
  const [never, when, then, atMostOne] = ["never", "if", "then", "atMostOne"].map(conditionsIn)
  if (never !== undefined) return any(...never)
  if (when !== undefined && then !== undefined) return all(...when, none(...then))
  return (
    atMostOne && any(...atMostOne.flatMap((condition, at) => pairsWith(condition, atMostOne.slice(at + 1))))
  )
}

function pairsWith(first: Condition, rest: readonly Condition[]): readonly Condition[] {
  return rest.map((second): Condition => ({ kind: "all", parts: [first, second] }))
}

function fieldOf(mapping: MappingNode, name: string): Node | undefined {
  return memberOf(mapping, name)?.value
}

function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === "sequence" ? node.items : []
}

/** The mapping, or those in a list. */
function nodesOf(node: Node | undefined): readonly MappingNode[] {
  return (node?.kind === "mapping" ? [node] : itemsOf(node)).flatMap((item) =>
    item.kind === "mapping" ? item : [],
  )
}
