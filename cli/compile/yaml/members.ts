import type { Member } from "./tree.ts"

/** The members of a mapping that is being read. */
export interface Members {
  readonly list: Member[]
  /** Made for the hostile mapping of thousands; most have four, which are found sooner without it. */
  byName: Map<string, Member> | undefined
}

/** Adds a member, unless its name is taken: then gives the one that has it. */
export function addMember(members: Members, member: Member): Member | undefined {
  const { list, byName } = members
  const { name } = member
  const first = byName === undefined ? list.find((other) => other.name === name) : byName.get(name)
  if (first !== undefined) return first
  list.push(member)
  byName?.set(name, member)
  if (list.length === 32) members.byName = new Map(list.map((member) => [member.name, member]))
  return undefined
}
