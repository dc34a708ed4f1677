import type { Node, ScalarNode } from "../yaml/tree.ts"

/** A text node at the place of something written in a different form. */
export function textNode(
  value: string,
  { start, end }: Pick<Node, "start" | "end">,
): ScalarNode & { readonly value: string } {
  return { kind: "scalar", start, end, value, plain: false }
}
