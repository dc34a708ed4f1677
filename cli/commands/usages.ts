import { resolve } from "node:path"
import { Command } from "commander"
import {
  createReport,
  type Diagnostic,
  type Report,
  type SourceFile,
  wholeFile,
} from "../diagnostics/diagnostic.ts"
import { formatCounts } from "../diagnostics/format-text.ts"
import { messageOf, phrase, whole } from "../diagnostics/phrase.ts"
import { plural } from "../diagnostics/plural.ts"
import { printDiagnostics, printMistakes } from "../diagnostics/print.ts"
import { printable } from "../diagnostics/printable.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { isGithub, pathsFrom } from "../diagnostics/terminal.ts"
import { keyOf, mayAskForFlags } from "../flag/other-flags.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { openSources } from "../project/open-project.ts"
import { isFlagSource } from "../reading/files/file-names.ts"
import { readSources } from "../reading/files/read.ts"
import { readProject } from "../reading/project.ts"
import { printReport } from "../report/formats.ts"
import { dependentsByKey } from "../usages/dependents.ts"
import { blocking, findUsages } from "../usages/find-usages.ts"
import { countWords, type ListedUsages, tooLargeLine, usagesReport } from "../usages/report.ts"
import type { UndefinedFlag } from "../usages/undefined-flags.ts"
import { catalogUrlOption, ciFormatOption, codeOption, flagsOption, type OptionsOf } from "./options.ts"

const declareUsages = () =>
  new Command("usages")
    .argument("[flags...]", "list the references to these flags, even if they are no longer defined")
    .addOption(flagsOption())
    .addOption(codeOption())
    .addOption(catalogUrlOption("name each flag's page in this catalogue"))
    .addOption(ciFormatOption(["text", "json", "markdown", "sarif", "github"]))
    .option("--require-used", "fail if a flag has no reference")
    .addHelpText("after", "\nExample:\n  $ flagstone usages saved-carts\n  $ flagstone usages --code src")

/** The options of `usages`. */
export interface UsagesOptions extends OptionsOf<typeof declareUsages> {
  /** Only these flags, defined or not. `undefined`: all defined flags, and calls for undefined ones. */
  readonly keys?: readonly string[]
}

export const usagesCommand = (host: Host, exit: Exit) =>
  declareUsages().action((keys, options) =>
    exit(runUsages(keys.length === 0 ? options : { ...options, keys }, host)),
  )

/** Prints references or diagnostics on stdout, and a summary on stderr. */
export async function runUsages(options: UsagesOptions, host: Host): Promise<ExitStatus> {
  const folder = resolve(host.cwd, options.flags)
  const mistakes = createReport() // `lint` reports what is wrong with the flags
  const project = readProject(folder, mistakes)
  if (project === undefined) {
    printMistakes(mistakes.diagnostics, host)
    return 2
  }
  const sources = readSources(folder, mistakes, project.ignores)
  const definitions = readKeys(sources)
  const defined = new Set(definitions.keys())
  const request = { folder, git: host.git, code: (options.code ?? []).map((path) => resolve(host.cwd, path)) }
  const isAll = options.keys === undefined
  const keys = isAll ? defined : new Set(options.keys)
  // A constant's name may stand for several flags, even for some that were not requested.
  const found = await findUsages(request, new Set([...defined, ...keys]), isAll ? defined : undefined)
  const references = new Map([...keys].map((key) => [key, found.references.get(key) ?? []]))
  const report = createReport()
  for (const call of found.undefinedFlags ?? []) reportUndefined(call, report)
  for (const [key, list] of references) {
    if (blocking(list).length > 0 || (!isAll && !options.requireUsed)) continue
    const source = definitions.get(key) ?? project.source
    const severity = options.requireUsed ? "error" : "warning"
    const message = messageOf(phrase`No code refers to the flag ${whole(key)}.`)
    report.add({ code: "unused-flag", severity, ...message, source, span: wholeFile })
  }
  const { diagnostics } = report
  // Only files that may ask for a flag, because ten thousand files take seconds to compile.
  const wanted = new Set(sources.filter(mayAskForFlags))
  const asking = await openSources(project, sources, mistakes, { isWanted: (source) => wanted.has(source) })
  const dependents = dependentsByKey(asking.flags, asking.invariants)
  const pageOf = (key: string) =>
    defined.has(key) && options.catalogUrl !== undefined ? pageIn(options.catalogUrl, key) : undefined
  await print({ ...found, references, dependents, pageOf }, diagnostics, options, host)
  for (const key of keys)
    if (!defined.has(key))
      host.stderr.write(`no flag ${quoted(printable(key))} is defined${didYouMean(key, [...defined])}\n`)
  const counts = [
    countWords([...references.values()].flat()),
    ...(diagnostics.length === 0 ? [] : [formatCounts(diagnostics)]),
  ]
  const searched = `${plural(found.files, "file")} searched for ${plural(keys.size, "flag")}`
  host.stderr.write(`${searched}: ${counts.join(", ")}\n${tooLargeLine(found, pathsFrom(host))}`)
  return report.hasErrors ? 1 : 0
}

/** The address of a flag's page in a catalogue, in which slashes stay. */
function pageIn(catalogUrl: string, key: string): string {
  return new URL(`#flag=${encodeURIComponent(key).replaceAll("%2F", "/")}`, catalogUrl).href
}

function reportUndefined({ key, suggestion, source, start, end }: UndefinedFlag, report: Report): void {
  const advice =
    suggestion === undefined
      ? [". Define it or remove the call: every caller gets its own default."]
      : phrase`; did you mean ${whole(suggestion)}?`
  const message = messageOf(phrase`No flag ${whole(key)} is defined${advice}`)
  report.add({ code: "undefined-flag", ...message, source, span: { start, end } })
}

/** If all flags are asked for, the text has only what is wrong. */
async function print(
  usages: ListedUsages,
  diagnostics: readonly Diagnostic[],
  { format, keys }: UsagesOptions,
  host: Host,
): Promise<void> {
  const folder = pathsFrom(host)
  const isAll = keys === undefined
  const chosen = format ?? (isGithub(host.env) && isAll ? "github" : "text")
  if (chosen === "sarif" || chosen === "github") return printDiagnostics(diagnostics, chosen, host)
  const shown = usagesReport(usages, diagnostics, folder, !isAll || chosen === "markdown")
  printReport(shown, chosen, host, folder)
}

/** The flag files by key. Nothing else of them is read. */
function readKeys(sources: readonly SourceFile[]): ReadonlyMap<string, SourceFile> {
  const flags = sources.filter(({ path }) => isFlagSource(path))
  return new Map(flags.map((source) => [keyOf(source), source]))
}
