import type { List } from "../list.ts"
import type { PageSetting } from "../page-data.ts"
import type { FlagData } from "./flag-part.ts"
import type { PageLists, WrittenLists } from "./page-lists.ts"

/** Makes the function that says in other lists what a flag's data says in some. The order is that of `flagData`. */
export function createCopy(from: WrittenLists, to: PageLists): (data: FlagData) => FlagData {
  const time = positions(from.times, to.times)
  const value = positions(from.values, to.values)
  const rule = positions(from.rules, to.rules)
  const constant = positions(from.constants, to.constants)
  const setting = positions(from.settings, {
    of([state, constantOf, reached, configuration]: PageSetting) {
      const known = reached.map(
        ([isReached, hits, witnessOf, ...line]) => [isReached, hits, value(witnessOf), ...line] as const,
      )
      const outline = [state, constantOf === -1 ? -1 : constant(constantOf), known] as const
      if (configuration === undefined) return to.settings.of(outline)
      const [id, enabled, rulesOf] = configuration
      return to.settings.of([...outline, [id, enabled, rulesOf.map(rule)]])
    },
  })
  return ([facts, ...written]) => {
    const [createdAt, updatedAt, type, defaultValue, owner, tags, expires, isTested, cells] = facts
    return [
      [
        time(createdAt),
        time(updatedAt),
        value(type),
        value(defaultValue),
        value(owner),
        value(tags),
        value(expires),
        isTested,
        cells.map(([settingOf, at]) =>
          at === undefined ? [setting(settingOf)] : [setting(settingOf), time(at)],
        ),
      ],
      ...written,
    ]
  }
}

/** The position in the other list of what is at a position of this one. */
function positions<T>(from: readonly T[], to: Pick<List<T>, "of">): (at: number) => number {
  const known: number[] = new Array(from.length).fill(-1)
  return (at) => {
    const before = known[at] ?? -1
    if (before !== -1) return before
    const position = to.of(from[at] as T)
    known[at] = position
    return position
  }
}
