import { escapeOf } from "./printable.ts"

/** The candidate that a misspelt word most likely means; `undefined` if none is close. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const [best] = near(word, candidates)
  return best ?? abbreviated(word, candidates)
}

/** The candidate, if it is the only close one and the word is long enough that nothing else can be meant. */
export function onlySuggestion(word: string, candidates: readonly string[]): string | undefined {
  const [only, another] = near(word, candidates)
  return another === undefined && word.length > 3 ? only : undefined
}

/** The candidates within an edit distance of a third of the word's length, the closest first. */
function near(word: string, candidates: readonly string[]): readonly string[] {
  const limit = Math.max(1, Math.floor(word.length / 3))
  return candidates
    .filter((candidate) => Math.abs(candidate.length - word.length) <= limit)
    .filter((candidate) => isNegation(candidate) === isNegation(word))
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .map(({ candidate }) => candidate)
}

/** The opposite of a word is not a misspelling of it, however close it is. */
function isNegation(word: string): boolean {
  return /^(not|!)/i.test(word)
}

/** `prod` for `production`: the one candidate that begins with the word. */
function abbreviated(word: string, candidates: readonly string[]): string | undefined {
  const start = word.toLowerCase()
  const [only, another] = candidates.filter(
    (candidate) => word.length > 2 && candidate.toLowerCase().startsWith(start),
  )
  return another === undefined ? only : undefined
}

/** The end of a sentence about an unknown word: `; did you mean …?`, or everything that is known. */
export function didYouMean(word: string, candidates: readonly string[], synonym?: string): string {
  const guess = synonym ?? suggest(word, candidates)
  if (guess !== undefined) return `; did you mean \`${guess}\`?`
  return candidates.length === 0 ? "." : `. Known: ${list(candidates)}.`
}

/**
 * A sentence for when no known word is close: it names the field of the project file that lists them, and `line`, which
 * is to be added there.
 */
export function orList(word: string, candidates: readonly string[], member: string, line?: string): string {
  if (suggest(word, candidates) !== undefined) return ""
  const what = line === undefined ? "it" : quoted(line)
  return ` ${candidates.length === 0 ? "Add" : "Use one of them, or add"} ${what} to \`${member}\` in project.yaml.`
}

/** An author's text on one line in backticks, cut short: it may be a whole file. */
export function quoted(text: string): string {
  return `\`${(text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text).replaceAll("\n", escapeOf)}\``
}

const maxQuoted = 80

/** `a`, `b` and `c` in backticks; a long list is cut short. */
export function list(words: readonly string[], most = 8): string {
  return listMarked(words.map(quoted), most)
}

/** The same for words that are marked already. */
export function listMarked(words: readonly string[], most = 8): string {
  const shown = words.slice(0, most)
  if (words.length > most) return `${shown.join(", ")} and ${words.length - most} more`
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours cost one each. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      let distance = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + cost,
      )
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) distance = Math.min(distance, (beforePrevious[column - 2] ?? 0) + 1)
      current.push(distance)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
