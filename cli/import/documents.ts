import { Failure } from "../failure.ts"
import type { Remark } from "./form/form.ts"
import { readDocuments } from "./form/read-file.ts"
import type { Tool } from "./form/tool.ts"
import { at, type ImportFile, items, members, type Node, nameOf, placeOf, scalarText } from "./form/tree.ts"
import { inManifest } from "./manifests.ts"
import { tools } from "./tools.ts"

/**
 * The tool's documents in files, also in Kubernetes manifests, with a remark on each document that is left out. Throws `Failure`
 * for a file whose documents are all not the tool's; it names the right tool if that is known.
 */
export async function documentsOf(
  tool: Tool,
  files: readonly ImportFile[],
): Promise<{ readonly documents: readonly Node[]; readonly remarks: readonly Remark[] }> {
  const documents: Node[] = []
  const remarks: Remark[] = []
  for (const file of files) {
    const found = readDocuments(file).flatMap(inManifest)
    const all = found.length > 0 ? found : [emptyDocument(file)]
    const recognized = all.filter(tool.recognizes)
    const isWithout = all.every(isEmpty)
    if (recognized.length === 0 && !isWithout) throw await notRecognized(tool, file, all)
    for (const node of recognized) refuseNewer(tool, node)
    documents.push(...recognized)
    const without = `a document without ${tool.title} flags is left out`
    for (const node of all)
      if (isWithout || !recognized.includes(node))
        remarks.push({ node, text: isEmpty(node) ? "an export without flags" : without })
  }
  return { documents, remarks }
}

/** Throws `Failure` if a document has a version that may give its members another meaning: of `v1.6.0`, only `1.6` counts. */
function refuseNewer({ title, newest }: Tool, document: Node): void {
  const version = at(document, "version")
  const text = scalarText(version)
  const [, named] = /^v?(\d+(?:\.\d+)?)/.exec(text ?? "") ?? []
  if (version === undefined || named === undefined || newest === undefined) return
  if (named.localeCompare(newest, "en", { numeric: true }) <= 0) return
  const { file, line } = placeOf(version)
  throw new Failure(
    `${file}:${line} says version ${text}, but \`import\` knows ${title}'s versions only up to ${newest}: export an older one, or write ${newest} there if the flags use nothing newer`,
  )
}

/** What a file without any document stands for. */
function emptyDocument(file: ImportFile): Node {
  return { value: { members: [] }, file, start: 0, parent: undefined, name: "" }
}

/** Whether the document's first list of flags or segments is empty; if it has no such list, whether the document is. */
function isEmpty(document: Node): boolean {
  const spec = at(document, "spec")
  const around = [document, at(document, "data"), spec, at(spec, "flagSpec"), at(spec, "featureFlagSpec")]
  const lists = ["flags", "features", "items", "segments"].flatMap((name) =>
    around.flatMap((root) => at(root, name) ?? []),
  )
  const first = lists[0] ?? document
  if (typeof first.value !== "object" || items(first).length > 0) return false
  return members(first).every((member) => first === document && isAboutExport(member))
}

/** Whether a member only names an export's version or, in Flipt, its namespace. */
function isAboutExport([name, one]: readonly [string, Node]): boolean {
  return /^(?:version|namespace)$/.test(name) && scalarText(at(one, "key") ?? one) !== undefined
}

async function notRecognized(tool: Tool, file: ImportFile, documents: readonly Node[]): Promise<Failure> {
  for (const [name, load] of Object.entries(tools)) {
    const { title, recognizes } = await load()
    if (documents.some(recognizes))
      return new Failure(`${nameOf(file)} looks like a file from ${title}: use \`flagstone import ${name}\``)
  }
  return new Failure(`${nameOf(file)} has no ${tool.title} flags: docs/import.md shows how to export them`)
}
