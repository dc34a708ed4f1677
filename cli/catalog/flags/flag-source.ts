import type { Definition } from "../../compile/definition/definition.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import { memberOf, toValue } from "../../compile/yaml/tree.ts"
import { linesAt } from "../../diagnostics/position.ts"
import type { KeptVersion } from "../versions/kept-version.ts"

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
  return { version, ...peopleMembers(definition), lines: linesOf(definition) }
}

function peopleMembers({ root, expires }: Definition): Pick<FlagSource, "owner" | "tags" | "expires"> {
  const [owner, tags] = ["owner", "tags"].map((name) => {
    const written = memberOf(root, name)
    return written === undefined ? undefined : toValue(written.value)
  })
  return {
    owner: typeof owner === "string" ? owner : "",
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [],
    expires: expires?.text ?? "",
  }
}

function linesOf({ source, configurations }: Definition): FlagSource["lines"] {
  return new Map(
    configurations.map(({ environment, rules }) => [
      environment,
      linesAt(
        source,
        rules.map(({ node }) => node.start),
      ),
    ]),
  )
}
