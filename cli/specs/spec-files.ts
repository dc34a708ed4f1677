import { readdirSync } from "node:fs"
import { join } from "node:path"
import { compareText, type Report, type SourceFile, wholeFile } from "../diagnostics/diagnostic.ts"
import { isSpecPath } from "../reading/files/file-names.ts"
import type { Ignores } from "../reading/files/ignore-globs.ts"
import { isLeftover } from "../reading/files/ignored-files.ts"
import { pathFrom } from "../reading/files/read.ts"
import { readSource } from "../reading/files/read-source.ts"

/**
 * Every spec file below a folder, sorted by path; one that cannot be read is reported. So is a link, because ignoring it
 * would hide its cases. Throws if the folder itself cannot be listed.
 */
export function readSpecFiles(folder: string, report: Report, ignores: Ignores): readonly SourceFile[] {
  return listSpecs(folder)
    .filter(({ path }) => !ignores(pathFrom(folder, path)))
    .sort((a, b) => compareText(a.path, b.path))
    .flatMap(({ path, isFile }) => {
      if (isFile) return readSource(path, report) ?? []
      const message = "Not a regular file: links and devices are not followed. Put the spec itself here."
      report.add({ code: "bad-spec", message, source: { path, text: "" }, span: wholeFile })
      return []
    })
}

/** The spec files in all folders below. Node's own recursion takes several times as long. */
function listSpecs(folder: string): { readonly path: string; readonly isFile: boolean }[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry
    if (name === ".git") return [] // a flags folder may be the top of a repository
    if (entry.isDirectory()) return listSpecs(join(folder, name))
    return isSpecPath(name) && !isLeftover(name) ? [{ path: join(folder, name), isFile: entry.isFile() }] : []
  })
}
