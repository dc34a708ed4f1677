import type { Bucket, Found, Imported } from "./form.ts"
import { at, type Node, textOf, textsOf } from "./tree.ts"

/** What the user sets with options. */
export interface ReadOptions {
  /** Custom strategies by name: each checks whether an attribute is in the list of a parameter. */
  readonly strategies: ReadonlyMap<string, { readonly attribute: string; readonly parameter: string }>
  /** The keys of segments for which the file lists none. */
  readonly knownValues: ReadonlyMap<string, readonly string[]>
  /** The attribute of the time, which ramps compare; absent: `now`. */
  readonly clock?: string | undefined
}

/** A tool that flags are imported from. */
export interface Tool {
  /** The product's name. */
  readonly title: string
  /** Whether attributes are only strings, or any JSON. */
  readonly contexts: "texts" | "any"
  /** Whether rules compare each item of an attribute that is a list. */
  readonly comparesItems: boolean
  /** Attributes without which the tool evaluates nothing. */
  readonly required: readonly string[]
  /** The newest version of its files that is read, where they name one. */
  readonly newest?: string
  /** Whether a document looks like one of the tool's. */
  readonly recognizes: (document: Node) => boolean
  readonly read: (documents: readonly Node[], options: ReadOptions) => Imported
  /** The tool's own hash. */
  readonly hash: Bucket
}

/** The environment from the command line, or else the one named in the file, or else production. */
export function environmentOf({ file }: Node, named?: string): string {
  return file.environment ?? named ?? "production"
}

/** A flag's `metadata`. */
export function aboutMetadata(node: Node): ReturnType<Found["about"]> {
  const metadata = at(node, "metadata")
  const [description, owner] = [textOf(at(metadata, "description")), textOf(at(metadata, "owner"))]
  return { description, tags: textsOf(at(metadata, "tags")), owner }
}
