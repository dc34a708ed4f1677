import { Failure } from "../failure.ts"
import { readDocuments } from "./form/read-file.ts"
import { at, items, members, membersOf, type Node, textOf } from "./form/tree.ts"

/**
 * The documents in a Kubernetes manifest: the texts of a config map, or of flagd's first custom resource, that are JSON or YAML,
 * and the items of a list. A manifest without any, and any other document, is returned as it is.
 */
export function inManifest(root: Node): readonly Node[] {
  const kind = textOf(at(root, "kind")) ?? ""
  if (/List$/.test(kind)) return items(at(root, "items")).flatMap(inManifest)
  const texts: Readonly<Record<string, readonly (Node | undefined)[]>> = {
    ConfigMap: members(at(root, "data")).map(([, text]) => text),
    FeatureFlagConfiguration: [at(root, "spec", "featureFlagSpec")],
  }
  const found = (texts[kind] ?? []).flatMap((node) => (node === undefined ? [] : documentsInside(node)))
  return found.length > 0 ? found : [root]
}

/** The documents in a string, at the line where it begins. Texts that are not JSON or YAML have none. */
function documentsInside(outer: Node): readonly Node[] {
  const text = textOf(outer)
  if (text === undefined) return []
  const place = (node: Node, parent: Node | undefined, name: string | number): Node => {
    const placed = { ...node, file: outer.file, start: outer.start, parent, name }
    const own = membersOf(node)
    const value = own
      ? { members: own.map((one) => place(one, placed, one.name)) }
      : Array.isArray(node.value)
        ? items(node).map((one) => place(one, placed, one.name))
        : node.value
    return Object.assign(placed, { value })
  }
  try {
    const found = readDocuments({ ...outer.file, text }).filter((one) => typeof one.value === "object")
    return found.map((one) => place(one, outer.parent, outer.name))
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}
