import { hasColour } from "../diagnostics/terminal.ts"
import type { Host } from "../host.ts"
import type { CommandReport, Printing } from "./report.ts"
import { reportJson } from "./report-json.ts"
import { reportMarkdown } from "./report-markdown.ts"
import { reportText } from "./report-text.ts"

/** The printers of reports, by the name of their format. */
export const reportFormats = { text: reportText, json: reportJson, markdown: reportMarkdown }

/** How to print on stdout. */
export function printingFor(host: Host, folder = host.cwd): Printing {
  return { folder, colour: hasColour(host, "stdout") }
}

/** Prints a command's report on stdout. */
export function printReport(
  report: CommandReport,
  format: keyof typeof reportFormats,
  host: Host,
  folder = host.cwd,
): void {
  host.stdout.write(reportFormats[format](report, printingFor(host, folder)))
}
