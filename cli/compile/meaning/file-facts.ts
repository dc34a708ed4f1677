import type { Definition } from "../definition/definition.ts"
import { type MappingNode, memberOf, toValue } from "../yaml/tree.ts"

/** A flag file's information for readers, which is in no snapshot. */
export interface FileFacts {
  /** `""`: no one is named. */
  readonly owner: string
  readonly tags: readonly string[]
  /** A date such as `2027-03-01`; `""`: none. */
  readonly expires: string
  readonly links: readonly Link[]
  /** By environment, where its rules begin: offsets in the file. */
  readonly rules: ReadonlyMap<string, readonly number[]>
}

/** A link about a flag, such as to its ticket. */
export interface Link {
  readonly title: string
  readonly url: string
}

/** The links of a flag that has no mistakes. */
export function linksOf(root: MappingNode): readonly Link[] {
  const links = memberOf(root, "links")?.value
  return (links?.kind === "sequence" ? links.items : []).map((item) => {
    const written = toValue(item) as string | { readonly title?: string; readonly url: string }
    return typeof written === "string"
      ? { title: written, url: written }
      : { title: written.title ?? written.url, url: written.url }
  })
}

export function factsOf({ root, expires, configurations }: Definition): FileFacts {
  const written = (name: string): unknown => {
    const member = memberOf(root, name)
    return member && toValue(member.value)
  }
  const [owner, tags] = [written("owner"), written("tags")]
  return {
    owner: typeof owner === "string" ? owner : "",
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [],
    expires: expires?.text ?? "",
    links: linksOf(root),
    rules: new Map(
      configurations.map(({ environment, rules }) => [environment, rules.map(({ node }) => node.start)]),
    ),
  }
}
