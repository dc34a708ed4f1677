import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import type { Phrase } from "../diagnostics/foreign.ts"

/**
 * What a command found, for readers and for programs. Texts of authors are foreign parts of its phrases, so that no format
 * takes them for words of ours.
 */
export interface CommandReport {
  /** What was examined, such as the two sides of a diff. */
  readonly title?: Phrase | undefined
  /** The result, in a sentence without its full stop. */
  readonly summary?: Phrase | undefined
  /** More about the whole, in sentences without their full stops. */
  readonly notes?: readonly Phrase[]
  /** In the order of importance: where a format has too little room, the end is left out. */
  readonly sections: readonly Section[]
  /** What is printed as JSON. */
  readonly data: () => unknown
  /** What only a comment on a pull request or an issue has. */
  readonly comment?: Comment
}

/** What only Markdown has. Its texts are ours. */
export interface Comment {
  /** The first line, by which a workflow finds the comment to replace. */
  readonly marker?: string | undefined
  /** What the summary is about. */
  readonly label?: string | undefined
  readonly link?: { readonly text: string; readonly address: string } | undefined
  /** The last sentence, without its full stop. */
  readonly end?: Phrase | undefined
  /** The whole comment if there are no sections. */
  readonly nothing?: string | undefined
}

/** Rows with a heading. A section without rows is not printed. */
export type Section = ListSection | TableSection | DiagnosticsSection

export interface ListSection {
  readonly kind: "list"
  readonly heading?: Phrase
  readonly rows: readonly Row[]
}

export interface TableSection {
  readonly kind: "table"
  readonly heading?: Phrase
  readonly columns: readonly string[]
  readonly rows: readonly TableRow[]
}

/** Those with the same message are printed together. */
export interface DiagnosticsSection {
  readonly kind: "diagnostics"
  readonly heading?: Phrase
  readonly diagnostics: readonly Diagnostic[]
}

export interface Row {
  /** Such as a flag's key, or a place. */
  readonly subject: Phrase
  readonly what?: Phrase
  /** Sentences about it, without their full stops. */
  readonly notes?: readonly Phrase[]
  readonly rows?: readonly Row[]
  /** What the row is about: one subject with its place, or several that it joins. */
  readonly placed?: readonly Placed[]
  /** What only the text has, because a comment has more readers. */
  readonly local?: Phrase
}

/** A subject with its file, which only Markdown names. */
export interface Placed {
  readonly subject: Phrase
  /** The file's absolute path. */
  readonly file: string
  readonly owner?: string | undefined
  /** The file's address for a browser. */
  readonly address?: string | undefined
}

export interface TableRow {
  /** In the order of the columns: the lines of each cell. */
  readonly cells: readonly (readonly Phrase[])[]
  /** The address of what the first cell names, for a browser. */
  readonly address?: string | undefined
}

/** How a report is printed. */
export interface Printing {
  /** Paths are relative to this folder. */
  readonly folder: string
  readonly colour: boolean
}

/** Whether a section has nothing to print. */
export function isEmpty(section: Section): boolean {
  return (section.kind === "diagnostics" ? section.diagnostics : section.rows).length === 0
}
