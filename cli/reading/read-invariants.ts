import type { Report, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import { list, quoted } from "../diagnostics/suggest.ts"
import { all, any, type Condition, none } from "../language/condition.ts"
import type { Invariant } from "../language/flag.ts"
import type { References } from "../language/references.ts"
import { type MappingNode, memberOf, type Node, type ParsedFile, writtenText } from "../language/tree.ts"
import { toCondition } from "./condition.ts"
import { checkConditionForm } from "./condition-form.ts"
import { invariantsFileSchema } from "./grammar/invariants-schema.ts"
import { isReplaced } from "./hints/unknown-field.ts"
import type { Project } from "./project.ts"
import { pathIn, resolvedIn } from "./references.ts"
import { refuseOddTexts } from "./refuse-odd-texts.ts"
import { checkShape } from "./shape.ts"

/** Reads an invariants file and reports what differs from the form of one; `undefined` if its meaning cannot be checked further. */
export function readInvariants(
  file: ParsedFile,
  project: Project,
  references: References,
  report: Report,
): readonly Invariant[] | undefined {
  if (refuseOddTexts(file, report)) return undefined
  const schema = invariantsFileSchema(project)
  if (!checkShape(file, schema, report)) return undefined
  const environments = project.environments.map(({ name }) => name)
  const { source, root } = file
  if (root.kind !== "sequence") return undefined
  return root.items.flatMap((item) => {
    if (item.kind !== "mapping") return []
    const invariant = toInvariant(item, source, { environments, clock: project.clock }, references)
    checkForm(invariant, Object.keys(schema.items.properties), report)
    checkConditionForm(invariant, project, report)
    return invariant
  })
}

/** The three forms of an invariant, each with its fields. */
const forms = [["never"], ["if", "then"], ["atMostOne"]]
const written = "`never`, `if` with `then`, or `atMostOne`"

/** An invariant has one form. */
function checkForm({ source, root, name }: Invariant, known: readonly string[], report: Report): void {
  const add = (code: "missing-field" | "several-conditions", message: string, span: Span = name.span) =>
    report.add({ code, message, source, span })
  const begun = forms.filter((form) => form.some((field) => memberOf(root, field) !== undefined))
  const [form, another] = begun
  const missing = form?.find((field) => memberOf(root, field) === undefined)
  const isThere = (field: string) => isReplaced(field, { mapping: root, known, path: source.path })
  if (form === undefined && forms.flat().some(isThere)) return
  if (form === undefined) add("missing-field", `An invariant needs ${written}.`)
  else if (another !== undefined) {
    const span = another.map((field) => memberOf(root, field)?.nameSpan).find((found) => found !== undefined)
    add("several-conditions", `An invariant says one thing: ${written}. Make two of this one.`, span)
  } else if (missing !== undefined && !isThere(missing)) {
    const there = form.filter((field) => field !== missing)
    add("missing-field", `${list(there)} needs ${quoted(missing)}.`, memberOf(root, there[0] ?? "")?.nameSpan)
  }
}

function toInvariant(
  root: MappingNode,
  source: SourceFile,
  {
    environments: every,
    clock,
  }: { readonly environments: readonly string[]; readonly clock: string | undefined },
  references: References,
): Invariant {
  const [named, unless] = [writtenText(fieldOf(root, "name")), writtenText(fieldOf(root, "unless"))]
  const written = itemsOf(fieldOf(root, "environments")).flatMap((item) => writtenText(item)?.text ?? [])
  const environments = written.length === 0 ? every : written
  const path = pathIn(references, source)
  const conditionsOf = (name: string, environment: string) =>
    nodesOf(fieldOf(root, name)).map((node) =>
      resolvedIn(references, toCondition(node, { path, clock, rule: { key: undefined, environment } })),
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
    references,
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
