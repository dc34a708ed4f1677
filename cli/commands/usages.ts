import { resolve } from "node:path"
import { Command, Option } from "commander"
import { writtenText } from "../compile/definition/definition.ts"
import { type Project, readProject } from "../compile/definition/project.ts"
import { isSegmentPath, keyOfFile } from "../compile/read/file-names.ts"
import { readSources } from "../compile/read/read.ts"
import { parseSource } from "../compile/yaml/parse.ts"
import { memberOf } from "../compile/yaml/tree.ts"
import { createReport, type SourceFile, wholeFile } from "../diagnostics/diagnostic.ts"
import { diagnosticRows } from "../diagnostics/format-json.ts"
import { formatCounts, formatText as formatDiagnostics, plural } from "../diagnostics/format-text.ts"
import { printable } from "../diagnostics/printable.ts"
import { suggest } from "../diagnostics/suggest.ts"
import { hasColour, isGithub, pathsFrom } from "../diagnostics/terminal.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { blocking, findUsages } from "../usages/find-usages.ts"
import { formatJson, formatMarkdown, formatText, formatTooLarge } from "../usages/format.ts"
import { codeOption, flagsOption } from "./options.ts"

const formats = ["text", "json", "markdown", "sarif", "github"] as const

/** The options of `usages`. */
export interface UsagesOptions {
  readonly flags: string
  /** Only these flags, which may be defined no more. `undefined`: all flags that are defined, and calls for others. */
  readonly keys?: readonly string[]
  /** Files and folders with code. `undefined`: the repository of the flags folder. */
  readonly code?: readonly string[]
  /** `undefined`: `github` inside GitHub Actions, else `text`. */
  readonly format?: (typeof formats)[number]
  /** A flag without a reference is an error. */
  readonly requireUsed?: boolean
}

export const usagesCommand = (host: Host, exit: Exit): Command =>
  new Command("usages")
    .argument("[flags...]", "list the references to these flags, even if they are not defined any more")
    .addOption(flagsOption())
    .addOption(codeOption())
    .addOption(
      new Option("--format <format>", "the output format: text, or github inside GitHub Actions").choices(
        formats,
      ),
    )
    .option("--require-used", "fail if a flag has no reference")
    .addHelpText("after", "\nExample:\n  $ flagstone usages saved-carts\n  $ flagstone usages --code src")
    .action((keys: readonly string[], options: UsagesOptions) =>
      exit(runUsages(keys.length === 0 ? options : { ...options, keys }, host)),
    )

/** Prints references or diagnostics on stdout, and a summary on stderr. */
export async function runUsages(options: UsagesOptions, host: Host): Promise<ExitStatus> {
  const folder = resolve(host.cwd, options.flags)
  const project = readProject(folder, createReport()) // `lint` reports what is wrong with the flags
  if (project === undefined) return 2
  const definitions = readKeys(project)
  const defined = new Set(definitions.keys())
  const report = createReport()
  const request = { folder, git: host.git, code: (options.code ?? []).map((path) => resolve(host.cwd, path)) }
  const keys = options.keys === undefined ? defined : new Set(options.keys)
  const all = options.keys === undefined ? { keys: defined, report } : undefined
  // A constant's name may stand for several flags, whichever are asked for.
  const found = await findUsages(request, new Set([...defined, ...keys]), all)
  const usages = {
    ...found,
    references: new Map([...keys].map((key) => [key, found.references.get(key) ?? []])),
  }

  for (const key of keys) {
    if (blocking(usages.references.get(key) ?? []).length > 0) continue
    const source = definitions.get(key) ?? project.source
    const severity = options.requireUsed ? "error" : "warning"
    const message = `No code refers to the flag \`${key}\`.`
    if (all !== undefined || options.requireUsed)
      report.add({ code: "unused-flag", severity, message, source, span: wholeFile })
  }
  const paths = pathsFrom(host)
  const { diagnostics } = report
  const format = options.format ?? (isGithub(host.env) && all !== undefined ? "github" : "text")
  switch (format) {
    case "json": {
      const rows = diagnosticRows(diagnostics, paths)
      host.stdout.write(formatJson(usages, paths, rows))
      break
    }
    case "markdown":
      host.stdout.write(formatMarkdown(usages, paths))
      break
    case "sarif": {
      const { formatSarif } = await import("../diagnostics/format-sarif.ts")
      const { readExplanations } = await import("../diagnostics/explanations.ts")
      host.stdout.write(formatSarif(diagnostics, paths, readExplanations()))
      break
    }
    case "github": {
      const { formatGithub } = await import("../diagnostics/format-github.ts")
      host.stdout.write(formatGithub(diagnostics, paths))
      break
    }
    default:
      if (all === undefined) host.stdout.write(formatText(usages, paths))
      host.stdout.write(formatDiagnostics(diagnostics, paths, hasColour(host, "stdout")))
  }
  for (const key of keys) {
    if (defined.has(key)) continue
    const guess = suggest(key, [...defined])
    const end = guess === undefined ? "" : `; did you mean ${guess}?`
    host.stderr.write(`no flag ${printable(key)} is defined${end}\n`)
  }
  const count = [...usages.references.values()].reduce((sum, list) => sum + list.length, 0)
  const counts = formatCounts(diagnostics)
  host.stderr.write(
    `${plural(count, "reference")} to ${plural(keys.size, "flag")} in ${plural(usages.files, "file")}${counts === "" ? "" : `: ${counts}`}\n`,
  )
  host.stderr.write(formatTooLarge(usages))
  return report.hasErrors ? 1 : 0
}

/** The files of the flags by their keys. Nothing else in them is read: ten thousand take seconds to compile. */
function readKeys({ folder, ignores }: Project): ReadonlyMap<string, SourceFile> {
  const ignored = createReport()
  const flags = readSources(folder, ignored, ignores).filter(({ path }) => !isSegmentPath(path))
  return new Map(
    flags.map((source) => {
      const root = /\bkey\b/.test(source.text) ? parseSource(source, ignored)?.root : undefined
      const key = root?.kind === "mapping" ? writtenText(memberOf(root, "key")?.value)?.text : undefined
      return [key ?? keyOfFile(source.path), source]
    }),
  )
}
