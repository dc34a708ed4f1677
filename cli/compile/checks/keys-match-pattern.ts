import { quoted } from "../../diagnostics/suggest.ts"
import { flagKeyPattern, patternWords } from "../definition/names.ts"
import { keyLocation } from "../definition/validate.ts"
import type { Check } from "./flag-check.ts"

/** A file's base name is a flag key. (The `key:` member's pattern is part of the file's shape.) */
export const keysMatchPattern: Check = (definitions, _project, report) => {
  for (const definition of definitions) {
    if (definition.keySpan !== undefined || flagKeyPattern.test(definition.key)) continue
    report.add({
      code: "bad-key",
      message: `The file's base name is the flag key, and ${quoted(definition.key)} cannot be one: a key is ${patternWords.get(flagKeyPattern.source)}. Rename the file or give the flag a \`key:\`.`,
      ...keyLocation(definition),
    })
  }
}
