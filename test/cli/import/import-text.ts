import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { formatFile } from "../../../cli/edit/format-file.ts"
import { timelessEntry } from "../../../cli/flag/sent-flag.ts"
import { environmentsOf } from "../../../cli/import/environments.ts"
import type { Imported } from "../../../cli/import/form/form.ts"
import { readDocuments } from "../../../cli/import/form/read-file.ts"
import type { ReadOptions, Tool } from "../../../cli/import/form/tool.ts"
import type { ImportFile } from "../../../cli/import/form/tree.ts"
import { type Import, importFlags } from "../../../cli/import/import-flags.ts"
import { clockIn } from "../../../cli/import/shares.ts"
import { importedProject } from "../../../cli/init/imported-project.ts"
import { draftsOf } from "../../../cli/project/check-drafts.ts"
import type { Project } from "../../../cli/reading/project.ts"
import { compileEntries, type Evaluator } from "../../../sdk/evaluation/compile-entries.ts"
import { checkFiles } from "../check-files.ts"

/** Real files of other tools; they are beside the project, not in it. */
const folder = resolve(import.meta.dirname, "../../../../shared/import")
export const hasRealFiles = existsSync(join(folder, "SOURCE.md"))
if (!hasRealFiles) console.warn(`SKIPPED: tests on real files of other tools, because ${folder} is not there`)

/** The names of the real files of a tool. */
export function realFiles(tool: string): readonly string[] {
  return readdirSync(join(folder, tool), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${tool}/${name}`)
    .sort()
}

export function readRealFile(name: string): ImportFile {
  return { path: name, text: readFileSync(join(folder, name), "utf8"), environment: undefined }
}

export function namesIn(name: string): readonly string[] {
  return readdirSync(join(folder, name)).sort()
}

const noOptions: ReadOptions = {
  strategies: new Map(),
  knownValues: new Map(),
}

/** An import in memory, and the values that the written flags give. */
export interface TriedImport extends Import {
  readonly read: Imported
  readonly project: Project
  /** `changed`: the text of a.yaml, if it was changed after the import. */
  readonly evaluatorOf: (environment: string, changed?: string) => Promise<Evaluator>
}

export async function importTexts(
  tool: Tool,
  files: readonly ImportFile[],
  { accept = [], ...options }: Partial<ReadOptions> & { readonly accept?: readonly string[] } = {},
): Promise<TriedImport> {
  const read = tool.read(files.flatMap(readDocuments), { ...noOptions, ...options })
  const project = importedProject("/flags", environmentsOf(read), "shop", clockIn(read))
  const found = await importInto(project, read, tool, accept)
  const evaluatorOf = (environment: string, changed?: string) => {
    const sources = found.sources.map((one) =>
      changed && one.path.endsWith("/a.yaml") ? { ...one, text: changed } : one,
    )
    const { flags } = checkFiles(sources, project, createReport())
    return compileEntries(flags.map((flag) => timelessEntry(flag, environment)))
  }
  return { ...found, read, project, evaluatorOf }
}

/** An import into a project, without the line for editors that begins each file. */
export async function importInto(
  project: Project,
  read: Imported,
  tool: Tool,
  accept: readonly string[] = [],
): Promise<Import> {
  const found = await importFlags(read, tool, { ...project, check: draftsOf(project) }, accept, () => {})
  const sources = found.sources.map((one) => ({ ...one, text: one.text.replace(/^# yaml-language.*\n/, "") }))
  return { ...found, sources }
}

/** What a flag gives for each context: the value on which both sides agree, or else both. */
export async function valuesOf(
  tool: Tool,
  found: Pick<TriedImport, "read" | "evaluatorOf">,
  contexts: readonly Readonly<Record<string, unknown>>[],
  key = "a",
): Promise<readonly unknown[]> {
  const configuration = found.read.flags.find((one) => one.key === key)?.configurations[0]
  const evaluator = await found.evaluatorOf(configuration?.environment ?? "")
  return contexts.map((context) => {
    const outcome = configuration?.meaning((name) => context[name] ?? undefined, tool.hash)
    const theirs = outcome?.kind === "value" ? outcome.value : outcome?.kind
    const answer = evaluator.evaluate(key, context)
    const ours = "value" in answer ? answer.value : answer.kind
    return isDeepStrictEqual(theirs, ours) ? ours : { theirs, ours }
  })
}

/** The losses of all flags, as code and message without code marks. */
export function lossesIn({ results }: Import): readonly string[] {
  return results.flatMap(({ losses }) =>
    losses.map(({ code, message }) => `${code}: ${message.replaceAll("`", "")}`),
  )
}

/** How many flags and environments have which verdict, and the losses. */
export function countVerdicts({ results, remarks, tally }: Import): object {
  const losses = results.flatMap((one) => [...new Set(one.losses.map(({ code }) => code))])
  const count = (words: readonly string[]) =>
    Object.fromEntries(
      [...Map.groupBy(words, (word) => word)].map(([word, same]) => [word, same.length]).sort(),
    )
  return {
    verdicts: count(results.map(({ verdict }) => verdict)),
    losses: count(losses),
    contexts: tally.contexts,
    remarks: remarks.length,
  }
}

/** The files that lint complains about, or that `fmt` would change. */
export function untidy({ sources }: Import): readonly string[] {
  return sources.flatMap(({ path, text }) => {
    const formatted = formatFile(text)
    return formatted.kind === "formatted" && formatted.text === text ? [] : [path]
  })
}
