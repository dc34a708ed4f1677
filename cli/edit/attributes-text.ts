import { plural } from "../diagnostics/plural.ts"
import type { UsedAttribute } from "../flag/used-attributes.ts"
import { yamlLine } from "./yaml-line.ts"

/** An attribute in `attributes:` of a project file, and how many flags use it. */
export interface AttributeLine {
  readonly field: string
  readonly comment: string
}

export function attributeLines(used: readonly UsedAttribute[]): readonly AttributeLine[] {
  return used.map(({ name, type, flags }) => ({
    field: `${yamlLine(name)}: ${type === undefined ? "{}" : `{ type: ${type} }`}`,
    comment: plural(flags, "flag"),
  }))
}

/** `attributes:` of a project file. */
export function attributesText(used: readonly UsedAttribute[]): string {
  const lines = attributeLines(used).map(({ field, comment }) => `  ${field} # ${comment}\n`)
  return `attributes:\n${lines.join("")}`
}
