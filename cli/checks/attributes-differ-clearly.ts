import type { Report, SourceFile, Span } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { attributeOf } from "../language/condition.ts"
import type { Flag, Segment } from "../language/flag.ts"
import { attributeUses } from "../reading/conditions-in-file.ts"
import type { Project } from "../reading/project.ts"

interface Use {
  readonly name: string
  readonly source: SourceFile
  readonly span: Span
  /** How many files use it. */
  files: number
}

/**
 * If the project file lists no attributes and two names differ only in case or by one letter, one is probably
 * misspelt. The one that fewer files use is reported, once.
 */
export function attributesDifferClearly(
  files: readonly (Flag | Segment)[],
  { attributes }: Pick<Project, "attributes">,
  report: Report,
): void {
  if (attributes !== undefined) return
  const uses = usesOf(files)
  const byForm = new Map<string, Use>()
  for (const use of [...uses.values()].sort((a, b) => b.files - a.files)) {
    const forms = formsOf(use.name)
    const other = forms.map((form) => byForm.get(form)).find((one) => one !== undefined)
    if (other === undefined) for (const form of forms) byForm.set(form, use)
    else
      report.add({
        code: "similar-attributes",
        message: `Is ${quoted(use.name)} the same attribute as ${quoted(other.name)}? Use one name, or add both to \`attributes\` in project.yaml.`,
        source: use.source,
        span: use.span,
        related: [
          { message: `${quoted(other.name)} is here.`, location: { source: other.source, span: other.span } },
        ],
      })
  }
}

function usesOf(files: readonly (Flag | Segment)[]): ReadonlyMap<string, Use> {
  const uses = new Map<string, Use>()
  for (const file of files) {
    const inFile = new Map<string, Span>()
    for (const { condition } of attributeUses(file)) {
      const [name, span] = [attributeOf(condition), condition.at?.attribute]
      if (span !== undefined && !inFile.has(name)) inFile.set(name, span)
    }
    for (const [name, span] of inFile) {
      const known = uses.get(name)
      if (known === undefined) uses.set(name, { name, source: file.source, span, files: 1 })
      else known.files++
    }
  }
  return uses
}

/**
 * Forms that a name shares with each name that differs from it only in case, or by one letter omitted, added or changed:
 * the name in lower case, and without each of its letters in turn, with that letter's position. A different digit is not
 * a slip: `line1` is not `line2`. Very short and very long names match only if they differ in case: `os` is not `is`.
 */
function formsOf(name: string): readonly string[] {
  const small = name.toLowerCase()
  if (small.length < 4 || small.length > 64) return [small]
  const letters = [...small]
  const without = letters.flatMap((letter, at) =>
    /\d/.test(letter) ? [] : [`${letters.toSpliced(at, 1).join("")}\0${at}`],
  )
  const gaps = Array.from({ length: letters.length + 1 }, (_, at) => `${small}\0${at}`)
  return [small, ...without, ...gaps]
}
