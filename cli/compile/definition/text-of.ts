import type { Node } from "../yaml/tree.ts"
import type { Text } from "./definition.ts"

/** The text that a value is; `undefined` where it is none. */
export function textOf(value: Node | undefined): Text | undefined {
  return value?.kind === "scalar" && typeof value.value === "string"
    ? { text: value.value, span: value }
    : undefined
}
