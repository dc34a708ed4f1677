import { fileIn } from "../reading/condition.ts"
import { type ConditionCheck, conditionsIn } from "../reading/conditions-in-file.ts"
import { whyNoFile } from "./file-is-there.ts"

/** Each `value: { file: … }` names a list in the flags folder. */
export const listsAreThere: ConditionCheck = (file, _project, report) => {
  const { source, references } = file
  for (const part of conditionsIn(file)) {
    if (part.kind !== "comparison" || part.file === undefined || references.files === undefined) continue
    const written = fileIn(part.at?.value)
    const named = written && { written: written.text, name: part.file, ending: ".txt" }
    const message = named && whyNoFile(named, references.files)
    if (message !== undefined && written !== undefined)
      report.add({ code: "unknown-file", message, source, span: written.span })
  }
}
