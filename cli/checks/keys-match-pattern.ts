import { quoted } from "../diagnostics/suggest.ts"
import { flagKeyPattern, patternWords } from "../language/names.ts"
import { keyLocation } from "../reading/read-flag.ts"
import type { Check } from "./check.ts"

/** A file's base name is a valid flag key. The shape check covers the `key:` member. */
export const keysMatchPattern: Check = (flag, _project, report) => {
  if (flag.keySpan !== undefined || flagKeyPattern.test(flag.key)) return
  report.add({
    code: "bad-key",
    message: `The file's base name is the flag key, and ${quoted(flag.key)} is not a valid one: a key is ${patternWords.get(flagKeyPattern.source)}. Rename the file, or give the flag a \`key:\`.`,
    ...keyLocation(flag),
  })
}
