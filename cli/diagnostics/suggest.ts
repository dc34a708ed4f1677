/** The candidate that a misspelt word most likely means; `undefined` where none is close. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3))
  let best: { readonly candidate: string; readonly distance: number } | undefined
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > limit) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { candidate, distance }
  }
  return best?.candidate ?? abbreviated(word, candidates)
}

/** `prod` for `production`: the one candidate that begins with the word. */
function abbreviated(word: string, candidates: readonly string[]): string | undefined {
  const [only, another] = candidates.filter((candidate) => word.length > 2 && candidate.startsWith(word))
  return another === undefined ? only : undefined
}

/** `; did you mean …?`, or nothing, as the end of a sentence about an unknown word. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const guess = suggest(word, candidates)
  return guess === undefined ? `. Known: ${list(candidates)}.` : `; did you mean \`${guess}\`?`
}

/** `a`, `b` and `c` in code marks; a long list is cut short. */
export function list(words: readonly string[], most = 8): string {
  const shown = words.slice(0, most).map((word) => `\`${word}\``)
  return words.length > most ? `${shown.join(", ")} and ${words.length - most} more` : shown.join(", ")
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
