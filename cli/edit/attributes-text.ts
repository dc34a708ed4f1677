import { plural } from "../diagnostics/plural.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import type { UsedAttribute } from "../flag/used-attributes.ts"

/** `attributes:` of a project file, with how many flags use each. */
export function attributesText(used: readonly UsedAttribute[]): string {
  const lines = used.map(({ name, type, flags }) => {
    const form = type === undefined ? "{}" : `{ type: ${type} }`
    return `  ${yamlLine(name)}: ${form} # ${plural(flags, "flag")}\n`
  })
  return `attributes:\n${lines.join("")}`
}
