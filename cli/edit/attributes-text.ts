import type { UsedAttribute } from "../compile/facts/used-attributes.ts"
import { plural } from "../diagnostics/plural.ts"
import { yamlLine } from "./yaml-line.ts"

/** `attributes:` of a project file. */
export function attributesText(used: readonly UsedAttribute[]): string {
  const lines = used.map(({ name, type, flags }) => {
    const about = type === undefined ? "{}" : `{ type: ${type} }`
    return `  ${yamlLine(name)}: ${about} # ${plural(flags, "flag")}\n`
  })
  return `attributes:\n${lines.join("")}`
}
