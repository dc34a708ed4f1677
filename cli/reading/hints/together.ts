import type { Finding, SourceFile } from "../../diagnostics/diagnostic.ts"

/** The same mistake in several items of a list, such as one that was pasted, as one mistake: the first, with one fix. */
export function together(findings: readonly Finding[], source: SourceFile): readonly Finding[] {
  const [first, ...others] = findings
  if (first === undefined || others.length === 0) return findings
  const edits = findings.flatMap(({ fix }) => fix ?? [])
  const [start, end] = [edits[0]?.start ?? 0, edits.at(-1)?.end ?? 0]
  const text = edits.map(
    (edit, at) => edit.text + source.text.slice(edit.end, edits[at + 1]?.start ?? edit.end),
  )
  const fix = edits.length === findings.length ? { start, end, text: text.join("") } : undefined
  return [
    { ...first, message: `${first.message} ${findings.length} items of this list have this problem.`, fix },
  ]
}
