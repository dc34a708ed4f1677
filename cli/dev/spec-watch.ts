import { createReport, errorsIn } from "../diagnostics/diagnostic.ts"
import { formatText as formatDiagnostics } from "../diagnostics/format-text.ts"
import { plural } from "../diagnostics/plural.ts"
import { hasColour } from "../diagnostics/terminal.ts"
import { readWorkTree } from "../evaluate/read-work-tree.ts"
import type { Host } from "../host.ts"
import { folderFiles } from "../project/files.ts"
import type { Input } from "../project/input.ts"
import { runSpecs } from "../specs/run-specs.ts"
import { readSpecFiles } from "../specs/spec-files.ts"
import { failuresOf, notRunLines } from "../specs/test-run.ts"

/** Runs the specs of saved files. */
export interface SpecWatch {
  /**
   * Runs the specs that have changed since the last call, or whose flag has. Returns what failed, or how many
   * cases passed; `undefined` if no spec was run.
   */
  run(flags: Input): Promise<string | undefined>
}

/** `first` is what is served at the start. */
export function createSpecWatch(first: Input, host: Host): SpecWatch {
  let before = textsOf(first)
  return {
    async run(flags) {
      const texts = textsOf(flags)
      const isWanted = (path: string) => texts.get(path) !== before.get(path)
      const report = createReport()
      const tree = await readWorkTree(folderFiles(flags.project.folder), report)
      if (tree === undefined || report.hasErrors) return undefined // edited again: the next build follows
      const run = await runSpecs(tree, { isWanted, coverage: false }, report)
      before = texts
      const errors = errorsIn(report.diagnostics)
      const wrong = [...errors, ...failuresOf(run)]
      const shown = formatDiagnostics(wrong, host.cwd, hasColour(host, "stdout")).trimEnd()
      if (wrong.length > 0) return shown
      const passed = run.results.filter(({ disabled }) => disabled === undefined).length
      const lines = notRunLines(run) + (passed === 0 ? "" : `${plural(passed, "case")} passed.`)
      return lines === "" ? undefined : lines.trimEnd()
    },
  }
}

/** The texts of all files that decide what specs find, by absolute path. */
function textsOf({ project, files }: Input): ReadonlyMap<string, string> {
  const specs = readSpecFiles(project.folder, createReport(), project.ignores)
  const sources = [...files.map(({ source }) => source), ...specs]
  return new Map(sources.map(({ path, text }) => [path, text]))
}
