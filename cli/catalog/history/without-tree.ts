import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import type { PeopleMember } from "../../diff/differences/difference.ts"

/** A flag with what `diff` tells people of it, without the tree of its text: thousands of versions are in memory at once. */
export function withoutTree(flag: ResolvedFlag): ResolvedFlag {
  const { definition } = flag
  const members = definition.root.members.filter(({ name }) => forPeople.has(name))
  const source = { path: definition.source.path, text: "" }
  return {
    ...flag,
    definition: { ...definition, source, configurations: [], root: { ...definition.root, members } },
  }
}

const forPeople: ReadonlySet<string> = new Set(["owner", "tags", "expires"] satisfies PeopleMember[])
