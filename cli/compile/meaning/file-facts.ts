import { linesAt } from "../../diagnostics/position.ts"
import type { Definition } from "../definition/definition.ts"
import { memberOf, toValue } from "../yaml/tree.ts"

/** What a flag file says to people: it is in no snapshot. */
export interface FileFacts {
  /** `""`: no one is named. */
  readonly owner: string
  readonly tags: readonly string[]
  /** A date such as `2027-03-01`; `""`: none. */
  readonly expires: string
  /** By environment, the lines of its rules, from 1. */
  readonly lines: ReadonlyMap<string, readonly number[]>
}

export function factsOf({ source, root, expires, configurations }: Definition): FileFacts {
  const written = (name: string): unknown => {
    const member = memberOf(root, name)
    return member && toValue(member.value)
  }
  const [owner, tags] = [written("owner"), written("tags")]
  const lines = new Map<string, readonly number[]>()
  for (const { environment, rules } of configurations) {
    if (rules.length === 0) continue
    const offsets = rules.map(({ node }) => node.start)
    lines.set(environment, linesAt(source, offsets))
  }
  return {
    owner: typeof owner === "string" ? owner : "",
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [],
    expires: expires?.text ?? "",
    lines,
  }
}
