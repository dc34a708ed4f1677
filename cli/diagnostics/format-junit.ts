import { type Diagnostic, type Location, sortDiagnostics } from "./diagnostic.ts"
import { pathOf, rangeOfLocation } from "./location.ts"
import { escapeXml } from "./xml.ts"

/**
 * The diagnostics as a JUnit report. An error is a failed case; a warning, which JUnit does not have, is a passed case
 * with a note. If there are none, there is one passed case.
 */
export function formatJunit(diagnostics: readonly Diagnostic[], folder: string): string {
  const sorted = sortDiagnostics(diagnostics)
  const failures = sorted.filter(({ severity }) => severity === "error").length
  const cases =
    sorted.length === 0 ? ['    <testcase classname="flags" name="no mistakes"/>'] : sorted.map(formatCase)
  const totals = `tests="${cases.length}" failures="${failures}" errors="0"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="flagstone" ${totals}>`,
    `  <testsuite name="flagstone lint" ${totals} skipped="0">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n")

  function formatCase({ location, severity, code, message, related }: Diagnostic): string {
    const file = pathOf(location, folder)
    const { line, column } = rangeOfLocation(location)
    const note = [{ message, location }, ...related]
      .map((one) => escapeXml(`${where(one.location)} ${one.message}`))
      .join("\n")
    const result =
      severity === "error"
        ? `<failure type="${code}" message="${escapeXml(message)}">${note}</failure>`
        : `<system-out>${note}</system-out>`
    return `    <testcase classname="${escapeXml(file)}" name="${code} at ${line}:${column}">${result}</testcase>`
  }

  function where(location: Location): string {
    const { line, column } = rangeOfLocation(location)
    return `${pathOf(location, folder)}:${line}:${column}`
  }
}
