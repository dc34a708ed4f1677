import { sharesIn } from "../conditions/share-range.ts"
import type { Flag } from "../language/flag.ts"

/** The only attribute of a flag's shares or, if it has no shares, of the project's. `undefined`: none or several. */
export function shareAttribute(flag: Flag, all: readonly Flag[]): string | undefined {
  for (const flags of [[flag], all]) {
    const [attribute, another] = new Set(flags.flatMap(attributesOf))
    if (another !== undefined) return undefined
    if (attribute !== undefined) return attribute
  }
  return undefined
}

function attributesOf({ configurations }: Flag): readonly string[] {
  return [...configurations.values()].flatMap(({ rules }) =>
    rules.flatMap(({ condition }) => sharesIn(condition).map(({ by }) => by)),
  )
}
