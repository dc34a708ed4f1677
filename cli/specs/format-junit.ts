import { pathOf, rangeOf } from "../diagnostics/location.ts"
import { escapeXml } from "../diagnostics/xml.ts"
import { caseName } from "./case-name.ts"
import type { TestResult, TestRun } from "./test-run.ts"

/** The run as a JUnit report: a suite for each spec file, a case for each environment. */
export function formatJunit({ results }: TestRun, folder: string): string {
  const byFile = Map.groupBy(results, ({ specCase }) => pathOf(specCase.location, folder))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="flagstone test" ${totals(results)}>`,
    ...[...byFile].flatMap(([file, own]) => [
      `  <testsuite name="${escapeXml(file)}" ${totals(own)} skipped="0">`,
      ...own.map((result) => formatCase(result, file, folder)),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n")
}

function totals(results: readonly TestResult[]): string {
  const failures = results.filter(({ diagnostic }) => diagnostic !== undefined).length
  return `tests="${results.length}" failures="${failures}" errors="0"`
}

function formatCase(
  { spec, specCase, environment, diagnostic }: TestResult,
  file: string,
  folder: string,
): string {
  const name = `${spec.flag} in ${environment}, ${caseName(specCase)}`
  const attributes = `classname="${escapeXml(file)}" name="${escapeXml(name)}" line="${rangeOf(specCase.location).line}"`
  if (diagnostic === undefined) return `    <testcase ${attributes}/>`
  const { code, message, location, related } = diagnostic
  const note = [{ message, location }, ...related]
    .map((one) => `${pathOf(one.location, folder)}:${rangeOf(one.location).line} ${one.message}`)
    .map(escapeXml)
    .join("\n")
  return `    <testcase ${attributes}><failure type="${code}" message="${escapeXml(message)}">${note}</failure></testcase>`
}
