import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
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
import { invariantsFileSchema } from "./grammar/invariants-schema.ts"
import type { Project } from "./project.ts"
import { pathIn, resolvedIn } from "./references.ts"
import { refuseOddTexts } from "./refuse-odd-texts.ts"
import { checkShape } from "./shape.ts"

/** A sentence that holds for every user, as an author wrote it. */
export interface Invariant {
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

/** Checks an invariants file's shape and reads it; `undefined` if its meaning cannot be checked further. */
export function readInvariants(
  file: ParsedFile,
  project: Project,
  segments: References,
  report: Report,
): readonly Invariant[] | undefined {
  if (refuseOddTexts(file, report)) return undefined
  if (!checkShape(file, invariantsFileSchema(project), report)) return undefined
  const environments = project.environments.map(({ name }) => name)
  return file.root.kind === "sequence" ? toInvariants(file, environments, segments) : undefined
}

/** `environments`: the project's. */
function toInvariants(
  { source, root }: ParsedFile,
  environments: readonly string[],
  segments: References,
): readonly Invariant[] {
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
): Invariant {
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
