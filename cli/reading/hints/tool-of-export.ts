import { type MappingNode, memberOf, type Node } from "../../language/tree.ts"

/** A tool from which `import` reads. */
interface Tool {
  readonly name: string
  /** What the command line calls it. */
  readonly word: string
}

/** The tool whose file with all its flags a mapping is; `undefined` if it is none that `import` reads. */
export function toolOfExport(mapping: MappingNode): Tool | undefined {
  const of = (name: string) => memberOf(mapping, name)?.value
  const flags = of("flags")
  if (of("features")?.kind === "sequence") return { name: "Unleash", word: "unleash" }
  if (flags?.kind === "sequence") return { name: "Flipt", word: "flipt" }
  if (of("items")?.kind === "sequence" || anyHas(flags, "fallthrough") || anyHas(flags, "environments"))
    return { name: "LaunchDarkly", word: "launchdarkly" }
  if (anyHas(flags, "variants")) return { name: "flagd", word: "flagd" }
  const isGoff = anyHas(mapping, "variations") && anyHas(mapping, "defaultRule")
  return isGoff ? { name: "GO Feature Flag", word: "goff" } : undefined
}

/** Whether a member of a mapping is a mapping with a member of this name. */
function anyHas(node: Node | undefined, name: string): boolean {
  if (node?.kind !== "mapping") return false
  return node.members.some(({ value }) => value.kind === "mapping" && memberOf(value, name) !== undefined)
}
