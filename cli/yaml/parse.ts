import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import type { ParsedFile } from "../language/tree.ts"
import { warnOfUnusedAnchors } from "./anchors.ts"
import { refuseDocuments } from "./documents.ts"
import { readEvents } from "./events.ts"
import { refuseUnseen } from "./odd-characters.ts"
import { readNode, tooDeep } from "./read-node.ts"
import { startReading } from "./reading.ts"
import { refuseCharacters } from "./strict.ts"
import { diagnoseSyntax } from "./syntax.ts"

/**
 * Parses a YAML 1.2 file into a tree of values with positions. A file that is not YAML, or whose meaning is in doubt (merge
 * keys, unresolved aliases), gives diagnostics and no tree, so no later stage reports the same problem again.
 */
export function parseSource(source: SourceFile, report: Report): ParsedFile | undefined {
  if (refuseUnseen(source, report)) return undefined
  const result = readEvents(source.text)
  switch (result.kind) {
    case "too-deep": {
      const span = { start: result.offset, end: result.offset + 1 }
      report.add({ code: "too-deep", message: tooDeep, source, span })
      return undefined
    }
    case "refused": {
      const { message, span, related: other, fix } = diagnoseSyntax(source.text, result)
      const related = other && [{ message: other.message, location: { source, span: other.span } }]
      report.add({ code: "syntax", message, source, span, fix, ...(related && { related }) })
      return undefined
    }
    case "events": {
      const reading = startReading(source, result.events, report)
      refuseCharacters(reading)
      if (reading.isRefused) return undefined
      refuseDocuments(reading)
      if (reading.isRefused) return undefined
      const root = readNode(reading, "---", 0)
      if (reading.isRefused) return undefined
      warnOfUnusedAnchors(reading)
      return { source, root }
    }
  }
}
