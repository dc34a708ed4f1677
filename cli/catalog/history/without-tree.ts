import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import type { Member } from "../../compile/yaml/tree.ts"
import type { PeopleMember } from "../../diff/differences/difference.ts"

/** A flag with what `diff` reports of it, but not the tree of its text: thousands of versions are in memory at once. */
export function withoutTree(flag: ResolvedFlag): ResolvedFlag {
  const { definition } = flag
  const members = peopleMembers(definition.root.members)
  const source = { path: definition.source.path, text: "" }
  return {
    ...flag,
    definition: { ...definition, source, configurations: [], root: { ...definition.root, members } },
  }
}

/** The members of a flag that no snapshot has, and that `diff` reports. */
function peopleMembers(members: readonly Member[]): readonly Member[] {
  return members.filter(({ name }) => forPeople.has(name))
}

const forPeople: ReadonlySet<string> = new Set(["owner", "tags", "expires"] satisfies PeopleMember[])
