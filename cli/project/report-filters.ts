import { existsSync, readFileSync } from "node:fs"
import { dirname, extname, join } from "node:path"
import { type Report, type SourceFile, wholeFile } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { type Git, GitMissing } from "../git.ts"

/**
 * Warns of files that git stores through a filter, such as that of Git LFS: filters are programs of the user's
 * configuration, and are not run, so a file never equals its commit. Asks git only where a `.gitattributes` names a filter.
 */
export async function reportFilters(
  folder: string,
  sources: readonly SourceFile[],
  git: Git,
  report: Report,
): Promise<void> {
  const folders = new Set([folder, ...sources.map(({ path }) => dirname(path))])
  if (![...folders].some(namesFilter)) return
  const input = sources.map(({ path }) => path).join("\0")
  const { stdout } = await git(["check-attr", "-z", "--stdin", "filter"], { cwd: folder, input }).catch(noGit)
  const [...fields] = stdout.toString("utf8").split("\0")
  const isSet = new Map<string, boolean>()
  for (const [at, source] of sources.entries()) {
    const name = fields[at * 3 + 2] ?? "unspecified"
    if (["unspecified", "unset", "set"].includes(name)) continue
    if (!isSet.has(name)) isSet.set(name, await hasProgram(name, folder, git))
    if (isSet.get(name) !== true) continue
    const message = `Git stores this file through the filter ${quoted(name)}, which is not run here: the file always differs from its commit. Take it out of the filter: write \`*${extname(source.path)} -filter\` in a \`.gitattributes\` beside it.`
    report.add({ code: "not-committed", severity: "warning", message, source, span: wholeFile })
  }
}

/** Whether a `.gitattributes` of the folder, or around it in its repository, names a filter. */
function namesFilter(folder: string): boolean {
  const attributes = join(folder, ".gitattributes")
  if (existsSync(attributes) && readFileSync(attributes, "utf8").includes("filter=")) return true
  return !existsSync(join(folder, ".git")) && dirname(folder) !== folder && namesFilter(dirname(folder))
}

/** Whether the filter's program is configured; otherwise git stores files as they are. */
async function hasProgram(filter: string, cwd: string, git: Git): Promise<boolean> {
  for (const member of ["clean", "process"])
    if ((await git(["config", "--get", `filter.${filter}.${member}`], { cwd })).status === 0) return true
  return false
}

function noGit(error: unknown) {
  if (error instanceof GitMissing) return { stdout: Buffer.of() }
  throw error
}
