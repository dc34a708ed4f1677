import type { Json } from "../../../sdk/contract/snapshot.ts"
import { environmentOf } from "../form/tool.ts"
import { at, isTrue, items, jsonOf, type Node, scalarText, textOf } from "../form/tree.ts"

/** A Flipt flag in one environment, from `features.yaml` or the evaluation state that SDKs get. */
export interface FliptFlag {
  /** With its namespace, unless that is the default one. */
  readonly key: string
  readonly node: Node
  readonly isBoolean: boolean
  /** Whether a variant of the flag has an attachment, here or in another document. */
  readonly hasAttachments: boolean
  readonly segments: ReadonlyMap<string, Node>
}

/** A document. */
export interface FliptNamespace extends Pick<FliptFlag, "segments"> {
  readonly namespace: string
  readonly environment: string
  readonly flags: readonly FliptFlag[]
}

/** The flags and segments of documents. */
export function namespacesOf(documents: readonly Node[]): readonly FliptNamespace[] {
  const attached = new Set<string>()
  for (const root of documents)
    for (const flag of items(at(root, "flags"))) if (hasAttachment(flag)) attached.add(keyOf(root, flag))
  return documents.map((root) => namespaceOf(root, attached))
}

/** Whether a variant has an attachment. */
export function hasAttachment(flag: Node): boolean {
  return [...variantsOf(flag).values()].some((attachment) => attachment !== undefined)
}

function nameOf(root: Node): string {
  return scalarText(at(root, "namespace", "key")) ?? scalarText(at(root, "namespace")) ?? "default"
}

function keyOf(root: Node, flag: Node): string {
  const [namespace, key] = [nameOf(root), scalarText(at(flag, "key")) ?? ""]
  return namespace === "default" ? key : `${namespace}/${key}`
}

function namespaceOf(root: Node, attached: ReadonlySet<string>): FliptNamespace {
  const flags = items(at(root, "flags"))
  const rules = flags.flatMap((flag) => [
    ...items(at(flag, "rules")),
    ...items(at(flag, "rollouts")).flatMap((one) => at(one, "segment") ?? []),
  ])
  const inRules = rules.flatMap((rule) => items(at(rule, "segments"))).filter((one) => at(one, "key"))
  const all = [...items(at(root, "segments")), ...inRules]
  const segments = new Map(all.map((one) => [scalarText(at(one, "key")) ?? "", one]))
  return {
    ...{ namespace: nameOf(root), environment: environmentOf(root), segments },
    flags: flags.map((node) => {
      const isBoolean = textOf(at(node, "type"))?.startsWith("BOOLEAN") === true
      const key = keyOf(root, node)
      return { key, node, isBoolean, hasAttachments: attached.has(key), segments }
    }),
  }
}

/** A segment's condition on an attribute. */
export interface FliptConstraint {
  readonly node: Node
  readonly attribute: string
  /** A property of the context that has the name of the entity's id. */
  readonly isMistakable: boolean
  readonly type: "text" | "number" | "boolean" | "moment"
  readonly operator: string
  readonly operand: string
}

const types = { NUMBER: "number", BOOLEAN: "boolean", DATETIME: "moment" } as const

/** The constraints of a segment, and whether one of them is enough. */
export function constraintsOf(segment: Node | undefined) {
  const isAny = textOf(at(segment, "match_type") ?? at(segment, "matchType"))?.startsWith("ANY") === true
  const constraints = items(at(segment, "constraints")).map((node): FliptConstraint => {
    const type = textOf(at(node, "type")) ?? ""
    const isEntity = type.startsWith("ENTITY")
    const attribute = isEntity ? "entityId" : (textOf(at(node, "property")) ?? "")
    return {
      ...{ node, attribute, isMistakable: attribute === "entityId" && !isEntity },
      type: Object.entries(types).find(([name]) => type.startsWith(name))?.[1] ?? "text",
      operator: textOf(at(node, "operator")) ?? "",
      operand: scalarText(at(node, "value")) ?? "",
    }
  })
  return { constraints, isAny }
}

/** The items of an operand that is a JSON list, as strings. */
export function listOf(text: string): readonly string[] | undefined {
  const list = jsonIn(text)
  return Array.isArray(list) ? list.map(String) : undefined
}

/** A number as in Go's strconv.ParseFloat; `NaN` for anything else. */
export function numberIn(text: string): number {
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : Number.NaN
}

/** A moment in RFC 3339 or a date, in milliseconds; `NaN` for anything else. */
export function momentIn(text: string): number {
  return /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN
}

/** Text that is not JSON is a string; an attachment that is empty is `undefined`. */
function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return text || undefined
  }
}

/** The segments of a rule or rollout, and whether all of them must match. */
export function segmentsOf(rule: Node): { readonly keys: readonly string[]; readonly isAll: boolean } {
  const one = at(rule, "segment")
  const lists = [at(one, "keys"), at(one, "segments"), at(rule, "segments"), at(rule, "segment_keys")]
  const listed = [...(one === undefined ? [] : [one]), ...lists.flatMap(items)]
  const operators = [one, rule].flatMap((node) => at(node, "operator") ?? at(node, "segmentOperator") ?? [])
  return {
    keys: listed.flatMap((item) => scalarText(at(item, "key")) ?? scalarText(item) ?? []),
    isAll: textOf(operators[0])?.startsWith("AND") === true,
  }
}

/** Shares of variants in percent; shares of 0 are left out. */
export function distributionsOf(rule: Node) {
  return items(at(rule, "distributions"))
    .map((node) => ({
      variant: scalarText(at(node, "variant") ?? at(node, "variantKey")) ?? "",
      rollout: Number(scalarText(at(node, "rollout")) ?? 0),
    }))
    .filter(({ rollout }) => rollout > 0)
}

/** A variant's value: its key, or its key and attachment if any variant of the flag has one. */
export function variantValue({ node, hasAttachments }: FliptFlag, key: string): Json | undefined {
  const variants = variantsOf(node)
  if (!variants.has(key)) return undefined
  return !hasAttachments ? key : { variant: key, attachment: variants.get(key) ?? null }
}

/** The attachments of a flag's variants. The state has variants only in rules and as the default, and attachments as JSON text. */
export function variantsOf(flag: Node): ReadonlyMap<string, Json | undefined> {
  const inRules = items(at(flag, "rules")).flatMap((rule) => items(at(rule, "distributions")))
  const own = inRules.filter((one) => at(one, "variantKey"))
  const inState = new Set([...own, at(flag, "defaultVariant") ?? []].flat())
  return new Map(
    [...inState, ...items(at(flag, "variants"))].map((one) => {
      const attachment = at(one, "variantAttachment") ?? at(one, "attachment")
      const text = textOf(attachment)
      const isJson = text === "" || inState.has(one)
      const value = isJson && text !== undefined ? jsonIn(text) : attachment && jsonOf(attachment)
      return [scalarText(at(one, "variantKey") ?? at(one, "key")) ?? "", value]
    }),
  )
}

/** The variant for users that no rule matches. */
export function defaultVariant(flag: Node): string | undefined {
  const marked = items(at(flag, "variants")).find((one) => isTrue(at(one, "default")))
  return scalarText(at(flag, "defaultVariant", "key") ?? at(marked, "key"))
}
