import { sameValue } from "../compile/meaning/canonical-json.ts"
import { pathOf, rangeOfLocation } from "../diagnostics/location.ts"
import { fenced, formatTooLarge, markdownRow, referenceRow } from "../usages/format.ts"
import type { Reference } from "../usages/references.ts"
import type { Dependent } from "./dependents.ts"

/**
 * The task of taking a flag out of code, in Markdown. A program may follow it, so of foreign text it has only keys, values
 * and paths, each as code on one line.
 */
export function taskText(
  key: string,
  keep: string,
  { references, tooLarge }: { readonly references: readonly Reference[]; readonly tooLarge: number },
  dependents: readonly Dependent[],
  folder: string,
): string {
  const asked = dependents.map(({ key: other, location, gives }) => {
    const { line, column } = rangeOfLocation(location)
    const place = fenced(`${pathOf(location, folder)}:${line}:${column}`)
    const step = sameValue(gives, JSON.parse(keep))
      ? "the condition always holds: write `operator: always` in its place or, in `all`, take it out"
      : "the condition never holds: take out the rule (in `any` or `none`, only the condition)"
    return `- [ ] ${place}: the flag ${fenced(other)} depends on it, and ${step}\n`
  })
  const rows = references.map((reference) => `- [ ] ${markdownRow(referenceRow(reference, folder))}\n`)
  const constants = new Set(references.flatMap(({ constant }) => constant?.name ?? []))
  const deletions = [...constants].map((name) => `- [ ] delete the constant ${fenced(name)}\n`)
  return `# Remove the flag ${fenced(key)}

Code goes on as if the flag were ${fenced(keep)}. Change the code first, and release it everywhere; delete the flag last: once
it is gone, every caller gets the default that stands in its call.

${rows.length === 0 ? "No code refers to it.\n" : `${rows.join("")}${deletions.join("")}`}${tooLarge === 0 ? "" : `\nLook there by hand: ${formatTooLarge({ tooLarge })}`}${asked.length === 0 ? "" : `\n${asked.join("")}`}
Done when the tests pass and ${fenced(`flagstone usages ${key}`)} finds no reference. Then run ${fenced(`flagstone remove ${key} --keep ${shellWord(keep)}`)}.
`
}

/** In single quotes a shell reads every other character as it stands. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
