import type { Node, ScalarNode } from "../yaml/tree.ts"

/** A text node for something that is written at a place in another form. */
export function textNode(
  value: string,
  { start, end }: Pick<Node, "start" | "end">,
): ScalarNode & { readonly value: string } {
  return { kind: "scalar", start, end, value, plain: false }
}
