import { type Code, severityOf } from "./codes.ts"
import { compareText, type Diagnostic, type Edit, type Location } from "./diagnostic.ts"
import type { CodeExplanation } from "./explanations.ts"
import { pathOf, rangeOfLocation } from "./location.ts"
import { printableJson } from "./printable.ts"
import { printedDiagnostics } from "./printed-diagnostics.ts"

/**
 * The diagnostics as a SARIF 2.1.0 log (OASIS), for code scanning; paths are relative to `folder`. It is read on
 * a web page, away from Flagstone's own documentation, so each code's explanation is part of it.
 */
export function formatSarif(
  diagnostics: readonly Diagnostic[],
  folder: string,
  explanations: ReadonlyMap<Code, CodeExplanation>,
): string {
  const found = [...new Set(diagnostics.map(({ code }) => code))].toSorted(compareText)
  const artifact = (location: Location) => ({
    uri: pathOf(location, folder).split("/").map(encodeStep).join("/"),
    uriBaseId: "%SRCROOT%",
  })
  const locate = (location: Location) => ({
    physicalLocation: { artifactLocation: artifact(location), region: region(location) },
  })
  const log = {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Flagstone",
            rules: found.map((code) => ruleOf(code, explanations.get(code))),
          },
        },
        columnKind: "utf16CodeUnits",
        results: printedDiagnostics(diagnostics).map(
          ({ code, severity, message, location, related, fix }) => ({
            ruleId: code,
            ruleIndex: found.indexOf(code),
            level: severity,
            message: { text: message },
            locations: [locate(location)],
            ...(related.length === 0
              ? {}
              : {
                  relatedLocations: related.map((other) => ({
                    ...locate(other.location),
                    message: { text: other.message },
                  })),
                }),
            ...(fix === undefined
              ? {}
              : { fixes: [{ artifactChanges: [change(artifact(location), location, fix)] }] }),
          }),
        ),
      },
    ],
  }
  return `${printableJson(JSON.stringify(log, null, 2))}\n`
}

function ruleOf(code: Code, explanation: CodeExplanation | undefined) {
  return {
    id: code,
    shortDescription: { text: sentence(code) },
    ...(explanation === undefined
      ? {}
      : { help: { text: explanation.text, markdown: explanation.markdown } }),
    ...(explanation?.uri === undefined ? {} : { helpUri: explanation.uri }),
    defaultConfiguration: { level: severityOf(code) },
  }
}

function region(location: Location) {
  const { line, column, endLine, endColumn } = rangeOfLocation(location)
  return { startLine: line, startColumn: column, endLine, endColumn }
}

function change(artifactLocation: object, { source }: Location, fix: Edit) {
  const deletedRegion = region({ source, span: fix })
  return { artifactLocation, replacements: [{ deletedRegion, insertedContent: { text: fix.text } }] }
}

/** RFC 3986. A hostile file name may contain a lone surrogate, which cannot be encoded. */
function encodeStep(step: string): string {
  return encodeURIComponent(step.toWellFormed())
}

/** `Unknown field` for `unknown-field`. */
function sentence(code: string): string {
  return code[0]?.toUpperCase() + code.slice(1).replaceAll("-", " ")
}
