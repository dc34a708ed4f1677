import type { Diagnostic, Location } from "../diagnostics/diagnostic.ts"
import { pathOf, rangeOfLocation } from "../diagnostics/location.ts"
import { maskDiagnostic } from "../diagnostics/mask-secrets.ts"
import { printable } from "../diagnostics/printable.ts"
import { caseName } from "./case-name.ts"
import { disabledWords } from "./disabled-flag.ts"
import type { TestRun } from "./test-run.ts"

interface JunitCase {
  /** Its file, relative to the folder. */
  readonly className: string
  readonly name: string
  readonly line: number
  /** Whether it failed, or could not run. */
  readonly kind: "failure" | "error"
  /** `undefined`: it passed, or was skipped. */
  readonly diagnostic: Diagnostic | undefined
  /** Why it was not run; `undefined`: it was. */
  readonly skipped?: string | undefined
}

/**
 * A run as a JUnit report: a suite for each file, with a case for each environment. A case keeps its name when it fails. A
 * mistake that kept cases from running is a case with an error, which is named by its code and place. Paths are relative to
 * `folder`.
 */
export function formatJunit(run: TestRun, folder: string): string {
  const cases = casesOf(run, folder)
  const suites = Map.groupBy(cases, ({ className }) => className)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="flagstone test" ${totals(cases)}>`,
    ...[...suites].flatMap(([name, inFile]) => [
      `  <testsuite name="${escapeXml(name)}" ${totals(inFile)} skipped="${inFile.filter(({ skipped }) => skipped !== undefined).length}">`,
      ...inFile.map((junitCase) => caseElement(junitCase, folder)),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n")
}

function casesOf({ results, mistakes }: TestRun, folder: string): readonly JunitCase[] {
  return [
    ...mistakes.map((diagnostic): JunitCase => {
      const { code, location } = diagnostic
      const { line } = rangeOfLocation(location)
      const name = `${code} at ${placeIn(location)}`
      return { className: pathOf(location, folder), name, line, kind: "error", diagnostic }
    }),
    ...results.map(({ spec, specCase, environment, diagnostic, disabled }): JunitCase => {
      const name = `${spec.flag} in ${environment}, ${caseName(specCase)}`
      const { line } = rangeOfLocation(specCase.location)
      const skipped = disabled && `Not run: ${disabledWords(disabled)}.`
      const className = pathOf(specCase.location, folder)
      return { className, name, line, kind: "failure", diagnostic, skipped }
    }),
  ]
}

function totals(cases: readonly JunitCase[]): string {
  const count = (wanted: JunitCase["kind"]) =>
    cases.filter(({ kind, diagnostic }) => kind === wanted && diagnostic !== undefined).length
  return `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}"`
}

function caseElement(
  { className, name, line, kind, diagnostic, skipped }: JunitCase,
  folder: string,
): string {
  const attributes = `classname="${escapeXml(className)}" name="${escapeXml(name)}" line="${line}"`
  if (skipped !== undefined)
    return `    <testcase ${attributes}><skipped message="${escapeXml(skipped)}"/></testcase>`
  if (diagnostic === undefined) return `    <testcase ${attributes}/>`
  const { code, message, location, related } = maskDiagnostic(diagnostic)
  const places = [{ message, location }, ...related]
    .map((place) =>
      escapeXml(`${pathOf(place.location, folder)}:${placeIn(place.location)} ${place.message}`),
    )
    .join("\n")
  return `    <testcase ${attributes}><${kind} type="${code}" message="${escapeXml(message)}">${places}</${kind}></testcase>`
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
