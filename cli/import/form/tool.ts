import type { Bucket, Found, Imported } from "./form.ts"
import { at, type Node, textOf, textsOf } from "./tree.ts"

/** What the user answers beforehand. */
export interface ReadOptions {
  /** What custom strategies ask, by their names: whether an attribute is in the list of a parameter. */
  readonly strategies: ReadonlyMap<string, { readonly attribute: string; readonly parameter: string }>
  /** Keys by the segment that the file does not list them for. */
  readonly knownValues: ReadonlyMap<string, readonly string[]>
  /** The attribute that tells environments apart in a file for all of them, and the environments. */
  readonly splitBy: string | undefined
  readonly environments: readonly string[]
}

/** What can be imported from a tool. */
export interface Tool {
  /** As people write it. */
  readonly title: string
  /** Whether attributes are texts, or all that JSON has. */
  readonly contexts: "texts" | "any"
  /** Attributes without which the tool evaluates nothing. */
  readonly required: readonly string[]
  /** Whether a document looks like one of the tool's. */
  readonly recognizes: (document: Node) => boolean
  readonly read: (documents: readonly Node[], options: ReadOptions) => Imported
  /** The tool's own hash. */
  readonly hash: Bucket
}

/** The environment of a file for one of them. */
export function environmentOf({ file }: Node, named?: string): string {
  return file.environment ?? named ?? "production"
}

/** What `metadata` says of a flag. */
export function aboutMetadata(node: Node): ReturnType<Found["about"]> {
  const metadata = at(node, "metadata")
  const [description, owner] = [textOf(at(metadata, "description")), textOf(at(metadata, "owner"))]
  return { description, tags: textsOf(at(metadata, "tags")), owner }
}
