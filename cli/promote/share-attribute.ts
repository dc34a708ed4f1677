import { sharesIn } from "../conditions/share-range.ts"
import type { ResolvedFlag } from "../flag/resolve.ts"
import { never } from "../language/condition.ts"
import { decode } from "../language/encode.ts"

/** The only attribute of a flag's shares or, if it has no shares, of the project's. `undefined`: none or several. */
export function shareAttribute(flag: ResolvedFlag, all: readonly ResolvedFlag[]): string | undefined {
  for (const flags of [[flag], all]) {
    const [attribute, another] = new Set(flags.flatMap(attributesOf))
    if (another !== undefined) return undefined
    if (attribute !== undefined) return attribute
  }
  return undefined
}

function attributesOf({ configurations }: ResolvedFlag): readonly string[] {
  return [...configurations.values()].flatMap(({ rules }) =>
    rules.flatMap((rule) => sharesIn(decode(rule) ?? never).map(({ by }) => by)),
  )
}
