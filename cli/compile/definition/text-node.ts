import type { Node, ScalarNode } from "../yaml/tree.ts"

/** A text that stands for what is written at a place. */
export function textNode(
  value: string,
  { start, end }: Pick<Node, "start" | "end">,
): ScalarNode & { readonly value: string } {
  return { kind: "scalar", start, end, value, plain: false }
}
