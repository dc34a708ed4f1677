import { findCandidates, flagMatcher } from "../contract/flag-globs.ts"
import type { PreparedFlag } from "./prepared-flag.ts"
import { addWork, noWork, type Work } from "./work.ts"

/** Those of the flags that a key may evaluate. */
export interface Selection {
  /** `undefined`: there is no such flag, or it is not one of these. Reads nothing but the key. */
  flag(key: string): PreparedFlag | undefined
  /** In the order of the document. Pauses where it yields, while they are found. */
  all(): Generator<void, readonly PreparedFlag[]>
  /** How much work finding and evaluating all of them is at most. */
  work(): Work
}

/**
 * Selects the flags whose keys match one of a list of globs; `undefined`: all. They are found when they are first needed.
 * `flags` are by key, in the order of the document.
 */
export function createSelections(
  flags: ReadonlyMap<string, PreparedFlag>,
): (globs: readonly string[] | undefined) => Selection {
  const keys = [...flags.keys()]
  const list = [...flags.values()]
  const whole: Found = { flags: list, work: sumOf(list) }

  function* find(globs: readonly string[], matches: (key: string) => boolean): Generator<void, Found> {
    const found: PreparedFlag[] = []
    let tests = 0
    for (const position of findCandidates(keys, globs)) {
      if (++tests % testsInStep === 0) yield
      const [key, flag] = [keys[position], list[position]]
      if (key !== undefined && flag !== undefined && matches(key)) found.push(flag)
    }
    return { flags: found, work: sumOf(found) }
  }

  return (globs) => {
    const matches = globs === undefined ? () => true : flagMatcher(globs)
    let found = globs === undefined ? whole : undefined
    const selection: Selection = {
      flag(key) {
        const flag = flags.get(key) // first: clients may send long keys, and a glob with two stars takes quadratic time
        return flag !== undefined && matches(key) ? flag : undefined
      },
      *all() {
        found ??= yield* find(globs ?? [], matches)
        return found.flags
      },
      work() {
        selection.all().next() // one step finds all, if there are few
        return found?.work ?? addWork(whole.work, workOfFinding(globs ?? [], keys.length))
      },
    }
    return selection
  }
}

interface Found {
  readonly flags: readonly PreparedFlag[]
  readonly work: Work
}

function sumOf(flags: readonly PreparedFlag[]): Work {
  return flags.map(({ work }) => work).reduce(addWork, noWork)
}

function workOfFinding(globs: readonly string[], keys: number): Work {
  return { fixed: unitsOfTest * globs.length * keys, perByte: 0 }
}

/** Up to half a millisecond. */
const testsInStep = 500

/** Comparing a key with a glob takes up to 80 ns. */
const unitsOfTest = 4
