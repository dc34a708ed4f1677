import { dirname, join, resolve } from "node:path"
import { editorSchema } from "../compile/definition/editor-schema.ts"
import type { Project } from "../compile/definition/project.ts"
import { schemaFileName } from "../compile/definition/read.ts"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { Failure } from "../failure.ts"
import { readIfThere } from "../files/read-if-there.ts"
import { replaceFile } from "../files/replace-file.ts"

/** The schema file's text. */
export function editorSchemaText(project: Project): string {
  return `${JSON.stringify(editorSchema(project), null, 2)}\n`
}

/**
 * Writes the project's schema file where it is out of date: where it exists or one of `sources` points editors at it.
 * No other place is ever written to, for a pull request could name any. A folder that cannot be written to stays as
 * it is: an old schema is no reason to fail.
 */
export async function refreshSchemaFile(
  project: Project,
  sources: readonly SourceFile[] = [],
): Promise<void> {
  const path = join(project.folder, schemaFileName)
  const before = (await readIfThere(path).catch(() => undefined))?.toString("utf8")
  if (before === undefined && !sources.some((source) => schemaOf(source) === path)) return
  const text = editorSchemaText(project)
  if (before === text) return
  try {
    await replaceFile(path, text)
  } catch (error) {
    // A `Failure` says that another run is at it; it writes the same.
    if (!(error instanceof Failure) && !("syscall" in (error as Error))) throw error
  }
}

/** The line that points editors at the schema, for a file at the top of the flags folder. */
export const schemaLine = `# yaml-language-server: $schema=./${schemaFileName}`

/** The file that the `# yaml-language-server: $schema=` line names, which editors read relative to the flag file. */
function schemaOf({ path, text }: SourceFile): string | undefined {
  const [, target] = /^# yaml-language-server:.*\$schema=(\S+)/m.exec(text.slice(0, 1000)) ?? []
  return target === undefined ? undefined : resolve(dirname(path), target)
}
