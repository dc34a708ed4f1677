import { hash } from "node:crypto"
import type { Diagnostic } from "./diagnostic.ts"
import { pathOf, rangeOfLocation } from "./location.ts"
import { printableJson } from "./printable.ts"
import { printedDiagnostics } from "./printed-diagnostics.ts"

/** The diagnostics as GitLab's Code Quality report, which a merge request shows next to the changed lines. */
export function formatGitlab(diagnostics: readonly Diagnostic[], folder: string): string {
  const seen = new Map<string, number>()
  const rows = printedDiagnostics(diagnostics).map(({ location, severity, code, message, related }) => {
    const path = pathOf(location, folder)
    const { line, endLine } = rangeOfLocation(location)
    const others = related.map((other) => {
      return ` ${other.message} (${pathOf(other.location, folder)}:${rangeOfLocation(other.location).line})`
    })
    const identity = [path, code, message].join("\0")
    const count = (seen.get(identity) ?? 0) + 1
    seen.set(identity, count)
    return {
      description: [message, ...others].join(""),
      check_name: code,
      // GitLab tells old diagnostics from new ones by this, so a line that only moves must not change it.
      fingerprint: hash("sha256", `${identity}\0${count}`),
      severity: severity === "error" ? "major" : "minor",
      location: { path, lines: { begin: line, end: endLine } },
    }
  })
  return `${printableJson(JSON.stringify(rows, null, 2))}\n`
}
