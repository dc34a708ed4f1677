import type { Host } from "../host.ts"
import type { Diagnostic } from "./diagnostic.ts"
import { formatCounts, formatText } from "./format-text.ts"
import { hasColour, pathsFrom } from "./terminal.ts"

type Format = (diagnostics: readonly Diagnostic[], folder: string, colour: boolean) => string

/** Each is loaded on demand, because a run uses only one. */
export const diagnosticFormats = {
  text: async () => formatText,
  json: async () => (await import("./format-json.ts")).formatJson,
  github: async () => (await import("./format-github.ts")).formatGithub,
  gitlab: async () => (await import("./format-gitlab.ts")).formatGitlab,
  sarif: loadSarif,
} satisfies Record<string, () => Promise<Format>>

async function loadSarif(): Promise<Format> {
  const { formatSarif } = await import("./format-sarif.ts")
  const { readExplanations } = await import("./explanations.ts")
  return (diagnostics, folder) => formatSarif(diagnostics, folder, readExplanations())
}

/** Prints the diagnostics that a command is asked for on stdout. */
export async function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  name: keyof typeof diagnosticFormats,
  host: Host,
): Promise<void> {
  const format: Format = await diagnosticFormats[name]()
  host.stdout.write(format(diagnostics, pathsFrom(host), hasColour(host, "stdout")))
}

/** Prints the mistakes in a command's files on stderr, for readers. */
export function printMistakes(diagnostics: readonly Diagnostic[], host: Host): void {
  host.stderr.write(formatText(diagnostics, pathsFrom(host), hasColour(host, "stderr")))
}

/** The same, and what they prevented after their count: `nothing was written`. */
export function printObstacles(diagnostics: readonly Diagnostic[], prevented: string, host: Host): void {
  printMistakes(diagnostics, host)
  host.stderr.write(`${formatCounts(diagnostics)}: ${prevented}\n`)
}
