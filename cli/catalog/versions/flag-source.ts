import type { Definition } from "../../compile/definition/definition.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import { memberOf, toValue } from "../../compile/yaml/tree.ts"
import { linesAt } from "../../diagnostics/position.ts"
import type { PeopleMember } from "../../diff/differences/difference.ts"
import type { KeptVersion } from "./kept-version.ts"

/** What the catalogue reads in the text of a flag file, without its tree. */
export interface FlagSource {
  readonly version: KeptVersion
  /** `""`: nobody is named. */
  readonly owner: string
  readonly tags: readonly string[]
  /** A date such as `2027-03-01`; `""`: none. */
  readonly expires: string
  /** By environment, the lines of its rules, from 1. */
  readonly lines: ReadonlyMap<string, readonly number[]>
}

export function sourceOf({ definition }: ResolvedFlag, version: KeptVersion): FlagSource {
  const [owner, tags] = [writtenMember(definition, "owner"), writtenMember(definition, "tags")]
  return {
    version,
    owner: typeof owner === "string" ? owner : "",
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [],
    expires: definition.expires?.text ?? "",
    lines: linesOf(definition),
  }
}

function writtenMember({ root }: Definition, name: PeopleMember): unknown {
  const written = memberOf(root, name)
  return written && toValue(written.value)
}

function linesOf({ source, configurations }: Definition): FlagSource["lines"] {
  const lines = new Map<string, readonly number[]>()
  for (const { environment, rules } of configurations) {
    const offsets = rules.map(({ node }) => node.start)
    lines.set(environment, linesAt(source, offsets))
  }
  return lines
}
