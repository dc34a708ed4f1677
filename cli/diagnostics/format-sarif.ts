import { codes } from "./codes.ts"
import { compareText, type Diagnostic, type Edit, type Place, sortDiagnostics } from "./diagnostic.ts"
import { pathOf, rangeOf } from "./location.ts"
import { printableJson } from "./printable.ts"

/** The diagnostics as a SARIF 2.1.0 log (OASIS), for code scanning; places are relative to `folder`. */
export function formatSarif(diagnostics: readonly Diagnostic[], folder: string): string {
  const found = [...new Set(diagnostics.map(({ code }) => code))].toSorted(compareText)
  const artifact = (place: Place) => ({
    uri: pathOf(place, folder).split("/").map(encodeStep).join("/"),
    uriBaseId: "%SRCROOT%",
  })
  const location = (place: Place) => ({
    physicalLocation: { artifactLocation: artifact(place), region: region(place) },
  })
  const log = {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Flagstone",
            rules: found.map((code) => ({
              id: code,
              shortDescription: { text: sentence(code) },
              help: { text: `docs/diagnostics.md in Flagstone explains ${code}.` },
              defaultConfiguration: { level: codes[code] },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: sortDiagnostics(diagnostics).map(({ code, severity, message, place, related, mend }) => ({
          ruleId: code,
          ruleIndex: found.indexOf(code),
          level: severity,
          message: { text: message },
          locations: [location(place)],
          ...(related.length === 0
            ? {}
            : {
                relatedLocations: related.map((other) => ({
                  ...location(other.place),
                  message: { text: other.message },
                })),
              }),
          ...(mend === undefined
            ? {}
            : { fixes: [{ artifactChanges: [change(artifact(place), place, mend)] }] }),
        })),
      },
    ],
  }
  return `${printableJson(JSON.stringify(log, null, 2))}\n`
}

function region(place: Place) {
  const { line, column, endLine, endColumn } = rangeOf(place)
  return { startLine: line, startColumn: column, endLine, endColumn }
}

function change(artifactLocation: object, { source }: Place, mend: Edit) {
  const deletedRegion = region({ source, span: mend })
  return { artifactLocation, replacements: [{ deletedRegion, insertedContent: { text: mend.text } }] }
}

/** RFC 3986; a lone surrogate, which a hostile file name may hold, is no character. */
function encodeStep(step: string): string {
  return encodeURIComponent(step.toWellFormed())
}

/** `Unknown member` for `unknown-member`. */
function sentence(code: string): string {
  return code[0]?.toUpperCase() + code.slice(1).replaceAll("-", " ")
}
