import { join } from "node:path"
import { createReport } from "../diagnostics/diagnostic.ts"
import { formatText as formatDiagnostics, plural } from "../diagnostics/format-text.ts"
import { hasColour } from "../diagnostics/terminal.ts"
import type { Tree } from "../diff/revisions/tree.ts"
import { readWorkTree } from "../evaluate/read-work-tree.ts"
import type { Host } from "../host.ts"
import { runSpecs } from "../specs/run-specs.ts"
import { readSpecFiles } from "../specs/spec-files.ts"
import { failuresOf } from "../specs/test-run.ts"

/** Runs the specs of saved files. */
export interface SpecWatch {
  /**
   * Runs the specs whose file or whose flag's file has changed since the last call. Returns what failed, or how many
   * cases passed; `undefined` if no spec was run.
   */
  run(flags: Tree): Promise<string | undefined>
}

/** `first` is what is served at the start; `folder` the absolute path of the flags. */
export function createSpecWatch(first: Tree, folder: string, host: Host): SpecWatch {
  let before = textsOf(first, folder)
  return {
    async run(flags) {
      const texts = textsOf(flags, folder)
      const isWanted = (path: string) => texts.get(path) !== before.get(path)
      const report = createReport()
      const tree = await readWorkTree(folder, report)
      if (tree === undefined || report.hasErrors) return undefined // edited again: the next build follows
      const run = await runSpecs(tree, { isWanted, coverage: false }, report)
      before = texts
      const errors = report.diagnostics.filter(({ severity }) => severity === "error")
      const wrong = [...errors, ...failuresOf(run)]
      const shown = formatDiagnostics(wrong, host.cwd, hasColour(host, "stdout")).trimEnd()
      if (wrong.length > 0) return shown
      return run.results.length === 0 ? undefined : `${plural(run.results.length, "case")} passed.`
    },
  }
}

/** A fingerprint of each flag and spec file, by its absolute path. */
function textsOf({ files }: Tree, folder: string): ReadonlyMap<string, string> {
  const specs = readSpecFiles(folder, createReport())
  return new Map([
    ...[...files].map(([path, id]) => [join(folder, path), id] as const),
    ...specs.map(({ path, text }) => [path, text] as const),
  ])
}
