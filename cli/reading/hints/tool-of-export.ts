import { type MappingNode, memberOf, type Node } from "../../language/tree.ts"

/** The tool whose file with all its flags a mapping is, by the word that `import` has for it; `undefined` if it is none of these. */
export function toolOfExport(mapping: MappingNode): string | undefined {
  const of = (name: string) => memberOf(mapping, name)?.value
  const flags = of("flags")
  if (of("features")?.kind === "sequence") return "unleash"
  if (flags?.kind === "sequence") return "flipt"
  if (of("items")?.kind === "sequence" || anyHas(flags, "fallthrough") || anyHas(flags, "environments"))
    return "launchdarkly"
  if (anyHas(flags, "variants")) return "flagd"
  return anyHas(mapping, "variations") && anyHas(mapping, "defaultRule") ? "goff" : undefined
}

/** Whether a member of a mapping is a mapping with a member of this name. */
function anyHas(node: Node | undefined, name: string): boolean {
  if (node?.kind !== "mapping") return false
  return node.members.some(({ value }) => value.kind === "mapping" && memberOf(value, name) !== undefined)
}
