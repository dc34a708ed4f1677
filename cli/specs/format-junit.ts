import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { pathOf, rangeOfLocation } from "../diagnostics/location.ts"
import { escapeXml } from "../diagnostics/xml.ts"
import { caseName } from "./case-name.ts"
import type { TestResult, TestRun } from "./test-run.ts"

/**
 * The run as a JUnit report: a suite for each file, a case for each environment. A mistake that kept cases from running is
 * a case with an error.
 */
export function formatJunit({ results, mistakes }: TestRun, folder: string): string {
  const cases = [
    ...mistakes.map((mistake) => mistakeCase(mistake, folder)),
    ...results.map((result) => resultCase(result, folder)),
  ]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="flagstone test" ${totals(cases)}>`,
    ...[...Map.groupBy(cases, ({ file }) => file)].flatMap(([file, own]) => [
      `  <testsuite name="${escapeXml(file)}" ${totals(own)} skipped="0">`,
      ...own.map(formatCase),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n")
}

interface JunitCase {
  readonly file: string
  readonly name: string
  readonly line: number
  readonly outcome: "passed" | "failure" | "error"
  /** What went wrong, as an element; `""`: nothing did. */
  readonly element: string
}

function resultCase(result: TestResult, folder: string): JunitCase {
  const { spec, specCase, environment, diagnostic } = result
  return {
    file: pathOf(specCase.location, folder),
    name: `${spec.flag} in ${environment}, ${caseName(specCase)}`,
    line: rangeOfLocation(specCase.location).line,
    outcome: diagnostic === undefined ? "passed" : "failure",
    element: diagnostic === undefined ? "" : elementOf("failure", diagnostic, folder),
  }
}

function mistakeCase(mistake: Diagnostic, folder: string): JunitCase {
  const { line, column } = rangeOfLocation(mistake.location)
  return {
    file: pathOf(mistake.location, folder),
    name: `${mistake.code} at ${line}:${column}`,
    line,
    outcome: "error",
    element: elementOf("error", mistake, folder),
  }
}

function totals(cases: readonly JunitCase[]): string {
  const count = (wanted: JunitCase["outcome"]) => cases.filter(({ outcome }) => outcome === wanted).length
  return `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}"`
}

function formatCase({ file, name, line, element }: JunitCase): string {
  const attributes = `classname="${escapeXml(file)}" name="${escapeXml(name)}" line="${line}"`
  return element === ""
    ? `    <testcase ${attributes}/>`
    : `    <testcase ${attributes}>${element}</testcase>`
}

function elementOf(
  tag: "failure" | "error",
  { code, message, location, related }: Diagnostic,
  folder: string,
): string {
  const note = [{ message, location }, ...related]
    .map((one) => `${pathOf(one.location, folder)}:${rangeOfLocation(one.location).line} ${one.message}`)
    .map(escapeXml)
    .join("\n")
  return `<${tag} type="${code}" message="${escapeXml(message)}">${note}</${tag}>`
}
