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

/** The digits of a boundary, as far as they are known. */
interface Boundary {
  /** With zeros up to the longest length that is known, so that boundaries are ordered as texts. */
  readonly padded: string
  /** Without the zeros at its end. */
  readonly length: number
  /** Whether there are more digits, or may be: those of another number begin so, too. */
  readonly isCut: boolean
}

/** Digits of boundaries in order; of those that have more than `longest`, only so many are known. */
export function createSignificands(digits: readonly string[], longest: number): Significands {
  const boundaries = boundariesOf(digits, longest)
  const close = (place: Place): Place => {
    if (!place.startsWith("o")) return place
    const text = pad(place.slice(1), longest)
    const index = countBelow(text, boundaries)
    return boundaries[index]?.padded === text ? `=${index}` : `<${index}`
  }
  return {
    indexOf: (one) => countBelow(pad(one, longest), boundaries),
    close,
    add(place, digit) {
      if (place.startsWith("<")) return place
      return place.startsWith("=")
        ? afterEqual(place, digit, boundaries)
        : placeOf(place.slice(1) + digit, boundaries)
    },
    rankOf(place) {
      const closed = close(place)
      const at = Number(closed.slice(1))
      return closed.startsWith("<") ? 2 * at : 2 * at + 1
    },
    isCut: (rank) => rank % 2 === 1 && boundaries[(rank - 1) / 2]?.isCut === true,
  }
}

/** Each once, the least first. */
function boundariesOf(digits: readonly string[], longest: number): readonly Boundary[] {
  // What is cut off can stand behind zeros, so one that is cut and one that is not may look alike.
  const cuts = new Map<string, boolean>()
  for (const one of digits) {
    const padded = pad(one, longest)
    cuts.set(padded, cuts.get(padded) === true || one.length > longest)
  }
  return [...cuts.keys()].sort().map((padded) => {
    const isCut = cuts.get(padded) === true
    return { padded, isCut, length: isCut ? longest : padded.replace(/0+$/, "").length }
  })
}

function pad(digits: string, longest: number): string {
  return digits.slice(0, longest).padEnd(longest, "0")
}

/** How many boundaries are less than a text. */
function countBelow(text: string, boundaries: readonly Boundary[]): number {
  let [low, high] = [0, boundaries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((boundaries[middle]?.padded ?? "") < text) low = middle + 1
    else high = middle
  }
  return low
}

/** The place of digits that no boundary's were equal to before the last one. */
function placeOf(text: string, boundaries: readonly Boundary[]): Place {
  const first = countBelow(text, boundaries)
  const boundary = boundaries[first]
  if (boundary === undefined || !boundary.padded.startsWith(text)) return `<${first}`
  const isOnly = boundaries[first + 1]?.padded.startsWith(text) !== true
  return isOnly && text.length >= boundary.length ? `=${first}` : `o${text}`
}

/** The place after one more digit than a boundary has. */
function afterEqual(place: Place, digit: string, boundaries: readonly Boundary[]): Place {
  const at = Number(place.slice(1))
  return digit === "0" || boundaries[at]?.isCut === true ? place : `<${at + 1}`
}
