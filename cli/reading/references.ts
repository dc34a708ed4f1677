import type { SourceFile } from "../diagnostics/diagnostic.ts"
import type { Condition, Reference } from "../language/condition.ts"
import { type References, resolved } from "../language/references.ts"
import { pathFrom } from "./files/read.ts"
import { isListName, listName } from "./list-file.ts"

/** What an editor offers for `segment`. */
export interface SegmentWord {
  readonly name: string
  readonly description: string
}

/** What references mean with these segments and flags. */
export function meaningIn(references: References): (reference: Reference) => Condition | undefined {
  return (reference) => {
    if (reference.kind === "flag") return references.flags?.meaningOf(reference)
    return isListName(reference.name) ? undefined : references.get(reference.name)
  }
}

/** The condition with what its references mean, and with the lines of its files. */
export function resolvedIn(references: References, condition: Condition): Condition {
  return resolved(condition, meaningIn(references), (file) => linesIn(references, file) ?? [])
}

/** The lines of the file at a path in the flags folder; `undefined` if there is none, or if it cannot be read. */
function linesIn(references: References, file: string): readonly string[] | undefined {
  const list = references.get(listName(file))
  return list?.kind === "comparison" && typeof list.operand === "object" ? list.operand : undefined
}

/** Nothing to refer to. */
export const noReferences: References = { names: [], get: () => undefined }

/** A file's path in the flags folder; that of an old version is so already. */
export function pathIn({ files }: References, { path }: SourceFile): string {
  return files === undefined ? path : pathFrom(files.folder, path)
}
