import { randomUUID } from "node:crypto"
import { dirname, join, resolve } from "node:path"
import { editorSchema } from "../compile/definition/editor-schema.ts"
import { schemaFileName } from "../compile/definition/file-names.ts"
import type { Project } from "../compile/definition/project.ts"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { docsAddress } from "../docs-address.ts"
import { removeAbandoned } from "../files/abandoned.ts"
import { readIfThere } from "../files/read-if-there.ts"
import { replaceFile } from "../files/replace-file.ts"

/** The schema file's text. */
export function editorSchemaText(project: Project): string {
  return `${JSON.stringify(editorSchema(project, docsAddress("docs/flag-files.md")), null, 2)}\n`
}

/**
 * Writes the project's schema file if it is out of date, and if it exists or one of `sources` points editors at it.
 * No other path is ever written to, because a pull request could name any. A folder that cannot be written to stays as
 * it is: an old schema is not worth failing for.
 */
export async function refreshSchemaFile(
  project: Project,
  sources: readonly SourceFile[] = [],
): Promise<void> {
  const path = join(project.folder, schemaFileName)
  const before = (await readIfThere(path).catch(() => undefined))?.toString("utf8")
  if (before === undefined && !sources.some((source) => schemaOf(source) === path)) return
  const text = editorSchemaText(project)
  const prefix = `.${schemaFileName}.`
  try {
    await removeAbandoned(project.folder, prefix)
    // A name of its own: runs at the same time write the same text, and a killed one leaves nothing in another's way.
    if (before !== text)
      await replaceFile(path, text, { temporary: join(project.folder, `${prefix}${randomUUID()}.new`) })
  } catch (error) {
    if (!("syscall" in (error as Error))) throw error
  }
}

/** The line that points editors at the schema, for a file at the top of the flags folder. */
export const schemaLine = `# yaml-language-server: $schema=./${schemaFileName}`

/** The file that the `# yaml-language-server: $schema=` line names, relative to the flag file as editors read it. */
function schemaOf({ path, text }: SourceFile): string | undefined {
  const [, target] = /^# yaml-language-server:.*\$schema=(\S+)/m.exec(text.slice(0, 1000)) ?? []
  return target === undefined ? undefined : resolve(dirname(path), target)
}
