import type { Json } from "../../sdk/contract/snapshot.ts"
import { replaceHarmful } from "./printable.ts"

/** A value as YAML on one line, which every YAML parser reads as this value, even within brackets or as a name. */
export function yamlLine(value: Json): string {
  if (typeof value === "string") return isPlain(value) ? value : quote(value)
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(yamlLine).join(", ")}]`
  const members = Object.entries(value).map(([name, member]) => `${yamlLine(name)}: ${yamlLine(member)}`)
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
}

/** Whether a text without quotes is a string, even to YAML 1.1 parsers, which read `yes` as true and `e0` as a number. */
function isPlain(text: string): boolean {
  return /^[a-z][\w./-]*$/i.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n|e\d+)$/i.test(text)
}

/** JSON's escapes are also YAML's (YAML 1.2.2, 5.7), except for characters of two code units. */
function quote(text: string): string {
  return replaceHarmful(JSON.stringify(text), (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`
  })
}
