import { createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import { Failure } from "../failure.ts"
import { replaceFile } from "../files/replace-file.ts"
import { readSource } from "../reading/files/read-source.ts"

/**
 * Replaces the text of a file that was read. Throws `Failure`, with the file as it is, if it cannot be written, or if somebody
 * has changed it since: two commands at once must not lose an edit.
 */
export async function replaceSource({ path, text: read }: SourceFile, text: string): Promise<void> {
  const refuseChanged = () => {
    if (readSource(path, createReport())?.text !== read)
      throw new Error("it has changed since it was read, so run this again")
  }
  await replaceFile(path, text, { beforeRename: refuseChanged }).catch((cause: Error) => {
    throw new Failure(`cannot write ${path}: ${cause.message}`, { cause })
  })
}
