import { printableJson } from "../diagnostics/printable.ts"
import type { CommandReport } from "./report.ts"

/** The data of a report for programs, with every harmful character escaped. */
export function reportJson({ data }: Pick<CommandReport, "data">): string {
  return `${printableJson(JSON.stringify(data(), null, 2))}\n`
}
