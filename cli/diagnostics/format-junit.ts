import type { Diagnostic, Location } from "./diagnostic.ts"
import { pathOf, rangeOfLocation } from "./location.ts"
import { maskDiagnostic } from "./mask-secrets.ts"
import { printable } from "./printable.ts"
import { printedDiagnostics } from "./printed-diagnostics.ts"

export interface JunitSuite {
  readonly name: string
  readonly cases: readonly JunitCase[]
}

export interface JunitCase {
  readonly name: string
  /** Its file, relative to a folder, or what else it is about. */
  readonly className: string
  /** `undefined`: the report does not say it. */
  readonly line?: number
  /** `undefined`: it passed, or was skipped. */
  readonly diagnostic: Diagnostic | undefined
  /** What the diagnostic is: a case that failed, one that could not run, or a note on one that passed. */
  readonly kind: "failure" | "error" | "note"
  /** Why it was not run; `undefined`: it was. */
  readonly skipped?: string | undefined
}

/**
 * The diagnostics as a JUnit report. An error is a failed case; a warning, which JUnit does not have, is a passed case
 * with a note. If there are none, there is one passed case.
 */
export function formatJunit(diagnostics: readonly Diagnostic[], folder: string): string {
  const cases = printedDiagnostics(diagnostics).map((diagnostic) =>
    junitCase(diagnostic, diagnostic.severity === "error" ? "failure" : "note", folder),
  )
  const none: JunitCase = { name: "no mistakes", className: "flags", kind: "note", diagnostic: undefined }
  const suite = { name: "flagstone lint", cases: cases.length === 0 ? [none] : cases }
  return junitReport("flagstone", [suite], folder)
}

/** A diagnostic as a case, which is named by its code and place. */
export function junitCase(diagnostic: Diagnostic, kind: JunitCase["kind"], folder: string): JunitCase {
  const { code, location } = diagnostic
  return { name: `${code} at ${placeIn(location)}`, className: pathOf(location, folder), kind, diagnostic }
}

/** A JUnit report of several suites; paths are relative to `folder`. */
export function junitReport(name: string, suites: readonly JunitSuite[], folder: string): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${name}" ${totals(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite name="${escapeXml(suite.name)}" ${totals(suite.cases)} skipped="${suite.cases.filter(({ skipped }) => skipped !== undefined).length}">`,
      ...suite.cases.map((one) => caseElement(one, folder)),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n")
}

function totals(cases: readonly JunitCase[]): string {
  const count = (wanted: JunitCase["kind"]) =>
    cases.filter(({ kind, diagnostic }) => kind === wanted && diagnostic !== undefined).length
  return `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}"`
}

function caseElement(
  { name, className, line, kind, diagnostic, skipped }: JunitCase,
  folder: string,
): string {
  const attributes = `classname="${escapeXml(className)}" name="${escapeXml(name)}"${line === undefined ? "" : ` line="${line}"`}`
  if (skipped !== undefined)
    return `    <testcase ${attributes}><skipped message="${escapeXml(skipped)}"/></testcase>`
  if (diagnostic === undefined) return `    <testcase ${attributes}/>`
  return `    <testcase ${attributes}>${resultElement(kind, diagnostic, folder)}</testcase>`
}

function resultElement(kind: JunitCase["kind"], diagnostic: Diagnostic, folder: string): string {
  const { code, message, location, related } = maskDiagnostic(diagnostic)
  const note = [{ message, location }, ...related]
    .map((one) => escapeXml(`${pathOf(one.location, folder)}:${placeIn(one.location)} ${one.message}`))
    .join("\n")
  if (kind === "note") return `<system-out>${note}</system-out>`
  return `<${kind} type="${code}" message="${escapeXml(message)}">${note}</${kind}>`
}

function placeIn(location: Location): string {
  const { line, column } = rangeOfLocation(location)
  return `${line}:${column}`
}

/** Text for an attribute or between tags. XML 1.0 (2.2, 2.4) does not allow control characters or lone surrogates there. */
function escapeXml(text: string): string {
  return printable(text.toWellFormed())
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
}
