import { readdirSync } from "node:fs"
import { join } from "node:path"
import { isSpecPath } from "../compile/definition/file-names.ts"
import { readSource } from "../compile/definition/read.ts"
import { compareText, type Report, type SourceFile } from "../diagnostics/diagnostic.ts"

/**
 * Every spec file below a folder, sorted by path; one that cannot be read is reported.
 * Throws where the folder itself cannot be listed.
 */
export function readSpecFiles(folder: string, report: Report): readonly SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isSpecPath(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort(compareText)
    .flatMap((path) => readSource(path, report) ?? [])
}
