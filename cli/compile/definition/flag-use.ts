import { type MappingNode, type Member, memberOf, toValue } from "../yaml/tree.ts"
import type { DefinedFlagUse } from "./definition.ts"
import { writtenText } from "./definition.ts"
import type { Place } from "./place.ts"

/** `flag:` as written, even with mistakes. */
export function toFlagUse(
  node: MappingNode,
  { nameSpan, value }: Member,
  place: Place | undefined,
): DefinedFlagUse {
  const is = memberOf(node, "is")?.value
  const gives = is === undefined ? true : toValue(is)
  return { kind: "flag", node, nameSpan, key: writtenText(value), is, gives, place }
}
