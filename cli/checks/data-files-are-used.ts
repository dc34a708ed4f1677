import { posix } from "node:path"
import { type Report, type SourceFile, wholeFile } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { mightName } from "../flag/might-name.ts"
import { type DataFiles, listUsesIn } from "../language/references.ts"
import { memberOf, writtenText } from "../language/tree.ts"
import { conditionsIn, type WithConditions } from "../reading/conditions-in-file.ts"
import { isListPath } from "../reading/files/file-names.ts"
import { pathBeside } from "../reading/list-file.ts"
import { pathIn } from "../reading/references.ts"

/** The paths in the flags folder of the lists and schemas that files name. */
export function dataFilesUsed(files: readonly WithConditions[]): ReadonlySet<string> {
  const used = new Set<string>()
  for (const file of files) {
    for (const part of conditionsIn(file)) for (const use of listUsesIn(part)) used.add(use.file)
    const schema = "configurations" in file ? writtenText(memberOf(file.root, "schema")?.value) : undefined
    if (schema !== undefined) used.add(pathBeside(pathIn(file.references, file.source), schema.text))
  }
  return used
}

/** Each file with the ending of a list or a schema is one that a flag file or a segment file names. */
export function dataFilesAreUsed(files: DataFiles, used: ReadonlySet<string>, report: Report): void {
  if ([...used].some((name) => files.get(name) === undefined)) return // a misspelt name would be reported twice
  const broken = report.diagnostics.flatMap(({ severity, location }) =>
    severity === "error" ? location.source.text : [],
  )
  for (const name of files.names) {
    const source = files.get(name)
    if (source === undefined || used.has(name)) continue
    const base = posix.basename(name)
    if (broken.some((text) => mightName(text, new Set([base])))) continue // a mistake may be where it is named
    const use = isListPath(name) ? `value: { file: ${base} }` : `schema: ${base}`
    report.add({
      code: "stray-file",
      message: messageOf(name, use),
      source: withoutText(source),
      span: wholeFile,
    })
  }
}

function messageOf(name: string, use: string): string {
  const base = posix.basename(name)
  if (/\.ya?ml\.txt$/.test(base))
    return `This file's name ends in \`.txt\`, so it is no flag. Rename it to ${quoted(base.slice(0, -".txt".length))}.`
  const asFlag = isListPath(name)
    ? ""
    : `rename it to ${quoted(base.replace(/json$/, "yaml"))} if it is a flag, `
  return `No flag file names this file. Write ${quoted(use)} in one beside it, ${asFlag}move it elsewhere, or add ${quoted(name)} to \`ignore\` in project.yaml.`
}

/** The place of a file as such, not of its text. */
function withoutText({ path }: SourceFile): SourceFile {
  return { path, text: "" }
}
