import { type Code, type Severity, severityOf } from "./codes.ts"
import type { Phrase } from "./foreign.ts"

/** A file that a diagnostic can point into. */
export interface SourceFile {
  /** Absolute path. */
  readonly path: string
  /** The file's text; offsets count its UTF-16 code units. */
  readonly text: string
}

/** A half-open range of offsets into a text. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Location {
  readonly source: SourceFile
  readonly span: Span
}

/** A change of a file's text: `text` replaces the span. */
export interface Edit extends Span {
  readonly text: string
}

/** What is wrong in an author's file, where, and what would fix it. */
export interface Diagnostic {
  readonly code: Code
  readonly severity: Severity
  readonly message: string
  /** The message for Markdown, where a text of an author could end its code marks; `undefined`: it is only for text. */
  readonly phrase?: Phrase | undefined
  readonly location: Location
  /** Other locations that the diagnostic involves, each with a sentence about it. */
  readonly related: readonly { readonly message: string; readonly location: Location }[]
  /** The fix, in the file of `location`; `undefined` unless it is certain that nothing else was meant. */
  readonly fix: Edit | undefined
}

/** A diagnostic as it is reported; without a severity it has its code's default. */
export interface Finding {
  readonly code: Code
  readonly message: string
  readonly phrase?: Phrase | undefined
  readonly source: SourceFile
  readonly span: Span
  readonly severity?: Severity
  readonly related?: Diagnostic["related"]
  readonly fix?: Edit | undefined
}

/**
 * Collects the diagnostics of one run in the order in which they are found. A diagnostic that is repeated at one location,
 * as for a value with aliases, counts once.
 */
export interface Report {
  add(finding: Finding): void
  readonly diagnostics: readonly Diagnostic[]
  readonly hasErrors: boolean
}

/** The span of a diagnostic about a file as a whole. */
export const wholeFile: Span = { start: 0, end: 0 }

export function createReport(): Report {
  const diagnostics: Diagnostic[] = []
  const seen = new Set<string>()
  return {
    diagnostics,
    get hasErrors() {
      return diagnostics.some((diagnostic) => diagnostic.severity === "error")
    },
    add({ code, message, phrase, source, span, severity = severityOf(code), related = [], fix }) {
      const identity = [code, source.path, span.start, span.end, message].join("\0")
      if (seen.has(identity)) return
      seen.add(identity)
      const location = { source, span }
      diagnostics.push({ code, severity, message, ...(phrase && { phrase }), location, related, fix })
    },
  }
}

/** Adds everything in one report to another. */
export function passOn({ diagnostics }: Report, report: Report): void {
  for (const { location, ...diagnostic } of diagnostics) report.add({ ...diagnostic, ...location })
}

/** Those that are no warnings. */
export function errorsIn(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === "error")
}

/** Absolute paths of the files with errors. */
export function brokenPaths({ diagnostics }: Report): ReadonlySet<string> {
  return new Set(errorsIn(diagnostics).map(({ location }) => location.source.path))
}

/** A report that passes on only the findings to keep. */
export function filterReport(report: Report, keep: (finding: Finding) => boolean): Report {
  return {
    diagnostics: report.diagnostics,
    get hasErrors() {
      return report.hasErrors
    },
    add(finding) {
      if (keep(finding)) report.add(finding)
    },
  }
}

/** Order by code units: the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
