import { printableJson } from "../diagnostics/printable.ts"

/** A value, such as an answer, as a line of JSON that a terminal can print. Members that are `undefined` are absent. */
export function jsonLine(value: object): string {
  return `${printableJson(JSON.stringify(value))}\n`
}
