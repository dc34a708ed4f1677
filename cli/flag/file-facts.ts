import type { Flag } from "../language/flag.ts"
import { type MappingNode, memberOf, toValue, writtenText } from "../language/tree.ts"

/** A flag file's information for readers, which is in no snapshot. */
export interface FileFacts {
  /** `""`: no one is named. */
  readonly owner: string
  readonly tags: readonly string[]
  /** A date such as `2027-03-01`; `""`: none. */
  readonly expires: string
  readonly links: readonly Link[]
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

export function factsOf({ root, expires }: Flag): FileFacts {
  const tags = memberOf(root, "tags")?.value
  return {
    owner: writtenText(memberOf(root, "owner")?.value)?.text ?? "",
    tags: tags?.kind === "sequence" ? tags.items.flatMap((tag) => writtenText(tag)?.text ?? []) : [],
    expires: expires?.text ?? "",
    links: linksOf(root),
  }
}
