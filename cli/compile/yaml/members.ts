import type { Member } from "./tree.ts"

/** The members of a mapping that is being read. */
export interface Members {
  readonly list: Member[]
  /** Only for large mappings: among a few members a search is faster, among a hostile file's thousands it is not. */
  byName: Map<string, Member> | undefined
}

/** Adds a member and gives `undefined`; where the name is taken, gives the member that has it. */
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
