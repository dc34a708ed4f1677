import type { Condition } from "../../language/condition.ts"
import { listUsesIn, written } from "../../language/references.ts"

/** How many lines a list in a file gained and lost. */
export interface ListChange {
  /** The file's path in the flags folder. */
  readonly file: string
  readonly added: number
  readonly removed: number
}

/** The lists that differ between two conditions with the lines of their files; none if they are not written the same. */
export function listChanges(before: Condition, after: Condition): readonly ListChange[] {
  const lists = listUsesIn(after)
  if (lists.length === 0 || JSON.stringify(written(before)) !== JSON.stringify(written(after))) return []
  const linesBefore = new Map(listUsesIn(before).map(({ file, operand }) => [file, new Set(operand)]))
  const linesAfter = new Map(lists.map(({ file, operand }) => [file, new Set(operand)]))
  return [...linesAfter].flatMap(([file, lines]) => {
    const old = linesBefore.get(file) ?? new Set()
    const [added, removed] = [notIn(old, lines), notIn(lines, old)]
    return added + removed === 0 ? [] : [{ file, added, removed }]
  })
}

/** How many of some lines are not among others. */
function notIn(others: ReadonlySet<string>, lines: ReadonlySet<string>): number {
  return [...lines].filter((line) => !others.has(line)).length
}
