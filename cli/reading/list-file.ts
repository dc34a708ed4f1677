import { posix } from "node:path"
import type { Span } from "../diagnostics/diagnostic.ts"
import type { Comparison, Condition } from "../language/condition.ts"
import { operatorThatAsks } from "../language/operators.ts"
import { listUsesIn, namesOf, referencesIn } from "../language/references.ts"

/** A line of a file with a list. */
export interface ListLine extends Span {
  readonly text: string
}

/** The lines of a list that are not empty, without blanks at their ends. */
export function listLines(text: string): readonly ListLine[] {
  return [...text.matchAll(/[^\r\n]+/g)].flatMap(({ 0: line, index }) => {
    const trimmed = line.trim()
    const start = index + line.indexOf(trimmed)
    return trimmed === "" ? [] : [{ text: trimmed, start, end: start + trimmed.length }]
  })
}

/** A file's path in the flags folder, given as another file there names it: relative to itself. */
export function pathBeside(path: string, written: string): string {
  return posix.normalize(posix.join(posix.dirname(path), written))
}

/** The name of a list among the segments, which share its history. No segment can have it. */
export function listName(path: string): string {
  return `${beforePath}${path}`
}

const beforePath = "file:"

export function isListName(name: string): boolean {
  return name.startsWith(beforePath)
}

/** A list as a condition without an attribute, as which it is kept among the segments. */
export function listCondition(text: string): Comparison {
  const operand = listLines(text).map((line) => line.text)
  return { kind: "comparison", attribute: "", operator: isOneOf, operand }
}

const isOneOf = operatorThatAsks({ kind: "texts", isList: true })

/** The names of the segments and lists that a condition uses itself; a name can repeat. */
export function segmentsAndListsIn(condition: Condition): readonly string[] {
  return [
    ...namesOf(referencesIn(condition)).segments,
    ...listUsesIn(condition).map(({ file }) => listName(file)),
  ]
}
