import { commentText } from "../diagnostics/comment-text.ts"
import { printableJson } from "../diagnostics/printable.ts"
import type { DeclaredFlag } from "./declared-flags.ts"

/**
 * A TypeScript declaration file: OpenFeature's SDKs then accept only keys of flags of the requested type, and
 * `FlagValues` has the values of each flag. It needs `skipLibCheck`, because OpenFeature declares its own key types.
 * `expired` has the dates of flags that should be gone, by key.
 */
export function typesText(
  flags: readonly DeclaredFlag[],
  expired: ReadonlyMap<string, string> = new Map(),
): string {
  const keyTypes = Object.entries(keyTypesOf).map(([name, types]) => {
    const keys = flags.filter(({ type }) => types.includes(type)).map(({ key }) => JSON.stringify(key))
    return `  export type ${name} =${keys.length === 0 ? " never" : keys.map((key) => `\n    | ${key}`).join("")}\n`
  })
  const values = flags.map(({ key, description, ...flag }) => {
    const date = expired.get(key)
    const mark = date === undefined ? "" : ` @deprecated expired on ${date}`
    const text = `${commentText(description)}${mark}`.trim()
    const comment = text === "" ? "" : `  /** ${text} */\n`
    return `${comment}  readonly ${JSON.stringify(key)}: ${valueType(flag)}\n`
  })
  return `// Made by \`flagstone codegen types\`: do not edit. Needs "skipLibCheck": true, because OpenFeature declares its own key types.
import type { JsonValue } from "@openfeature/core"

declare module "@openfeature/core" {
${keyTypes.join("")}}

/** The values that each flag can have in any environment, by its key. */
export interface FlagValues {
${values.join("")}}
`
}

const keyTypesOf: Readonly<Record<string, readonly DeclaredFlag["type"][]>> = {
  BooleanFlagKey: ["boolean"],
  StringFlagKey: ["string"],
  NumberFlagKey: ["integer", "float"],
  ObjectFlagKey: ["object"],
}

function valueType({ type, values }: Pick<DeclaredFlag, "type" | "values">): string {
  switch (type) {
    case "boolean":
      return "boolean"
    case "object":
      return "JsonValue"
    default:
      if (values.length > few) return type === "string" ? "string" : "number"
      return values.map((value) => printableJson(JSON.stringify(value))).join(" | ")
  }
}

const few = 12
