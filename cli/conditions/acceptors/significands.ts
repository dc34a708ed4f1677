/**
 * Where the digits of a number stand among those of boundaries, the point left aside: `""` before the first digit that
 * is not 0, `o` and the digits while they are the beginning of some boundary's, `=` and the position of the boundary
 * that they equal, `<` and the position of the first boundary that is greater than all that can follow.
 */
export type Place = string

export interface Significands {
  /** The position of a boundary's digits. */
  indexOf(digits: string): number
  /** The place after one more digit; the first one is not 0. */
  add(place: Place, digit: string): Place
  /** The place where no more digits follow: with the same rank, and the same for all that have it. */
  close(place: Place): Place
  /** The rank of a number whose digits end here: 2 × position + 1 where it equals a boundary, between them even ones. */
  rankOf(place: Place): number
  /** Whether the digits of this rank are only known to begin as those of a boundary do, or of several. */
  isCut(rank: number): boolean
}

/** Digits of boundaries in order; of those that have more than `longest`, only so many are known. */
export function createSignificands(digits: readonly string[], longest: number): Significands {
  const cut = (one: string) => one.slice(0, longest)
  const padded = (one: string) => cut(one).padEnd(longest, "0")
  // What is cut off can stand behind zeros, so one that is cut and one that is not may look alike.
  const isCut = new Map<string, boolean>()
  for (const one of digits) isCut.set(padded(one), isCut.get(padded(one)) === true || one.length > longest)
  const all = [...isCut.keys()].sort()
  const lengths = all.map((one) => (isCut.get(one) ? longest : one.replace(/0+$/, "").length))
  const countBelow = (text: string) => {
    let [low, high] = [0, all.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((all[middle] ?? "") < text) low = middle + 1
      else high = middle
    }
    return low
  }
  const atEnd = (place: Place) => {
    if (!place.startsWith("o")) return place
    const text = place.slice(1).padEnd(longest, "0")
    const index = countBelow(text)
    return all[index] === text ? `=${index}` : `<${index}`
  }
  return {
    indexOf: (one) => countBelow(padded(one)),
    close: atEnd,
    add(place, digit) {
      if (place.startsWith("<")) return place
      if (place.startsWith("=")) {
        const at = Number(place.slice(1))
        return digit === "0" || isCut.get(all[at] ?? "") ? place : `<${at + 1}`
      }
      const text = place.slice(1) + digit
      const first = countBelow(text)
      const isOpen = (all[first] ?? "").startsWith(text)
      if (!isOpen) return `<${first}`
      const isLast = !(all[first + 1] ?? "").startsWith(text)
      return isLast && text.length >= (lengths[first] ?? 0) ? `=${first}` : `o${text}`
    },
    rankOf(place) {
      const closed = atEnd(place)
      const at = Number(closed.slice(1))
      return closed.startsWith("<") ? 2 * at : 2 * at + 1
    },
    isCut: (rank) => rank % 2 === 1 && isCut.get(all[(rank - 1) / 2] ?? "") === true,
  }
}
