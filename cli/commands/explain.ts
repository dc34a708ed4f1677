import { Command } from "commander"
import { codes, type ImportCode, importCodes } from "../diagnostics/codes.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { readPackageFile } from "../package-files.ts"

export const explainCommand = (host: Host, exit: Exit) =>
  new Command("explain")
    .argument("<code>", "the code of a diagnostic, such as bad-operand")
    .addHelpText("after", "\nExample:\n  $ flagstone explain unreachable-rule")
    .action((code) => exit(runExplain(code, host)))

/**
 * Prints the section of a code in docs/diagnostics.md, or what docs/import.md says about a loss. Throws `Failure` if there
 * is no such code.
 */
export async function runExplain(code: string, host: Host): Promise<ExitStatus> {
  const section = sectionOf(code) ?? (await lossSection(code))
  if (section === undefined) {
    const known = Object.keys({ ...codes, ...importCodes })
    throw new Failure(`no code ${quoted(code)}${didYouMean(code, known)}`)
  }
  host.stdout.write(`${section.trimEnd()}\n`)
  return 0
}

function sectionOf(code: string): string | undefined {
  return readPackageFile("docs/diagnostics.md")
    .split(/^(?=##+ )/m)
    .find((section) => section.startsWith(`### \`${code}\`\n`))
}

/** The verdict, the example and the advice. */
async function lossSection(code: string): Promise<string | undefined> {
  if (!isImportCode(code)) return undefined
  const { losses, verdictWords } = await import("../import/form/losses.ts")
  const [verdict, advice] = losses[code]
  const row = readPackageFile("docs/import.md")
    .split("\n")
    .find((line) => line.startsWith(`| \`${code}\` |`))
  const example = row?.split(" | ")[2]?.replace(/ \|$/, "") ?? ""
  return `### \`${code}\`\n\nImport: ${verdictWords[verdict]}. For example: ${example}.\n\n${advice}`
}

function isImportCode(code: string): code is ImportCode {
  return Object.hasOwn(importCodes, code)
}
