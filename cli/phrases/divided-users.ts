import type { Clause } from "../conditions/clause.ts"
import type { UserSplit } from "../conditions/moves/group.ts"
import { joinLast, type Phrase, phrase } from "../diagnostics/phrase.ts"
import { presenceIn } from "../language/condition.ts"
import { articleOf } from "./comparison-words.ts"
import { percent } from "./share-words.ts"
import { userWords } from "./users.ts"

/** The users whom shares divide, in words that leave out that they have the attributes that divide them. */
export function dividedUserWords({ who, by }: UserSplit, most?: number): ReturnType<typeof userWords> {
  const isPresence = ({ condition, holds }: Clause) =>
    condition.kind === "comparison" &&
    presenceIn(condition) === holds &&
    by.some((seed) => seed.by === condition.attribute)
  return userWords(
    who.filter((clause) => !isPresence(clause)),
    most,
  )
}

/** That the percentages are of users who have each of several attributes; empty for one attribute, which "by" names. */
export function havingWords({ by, instead }: Pick<UserSplit, "by" | "instead">): Phrase {
  const attributes = new Set([...by, ...(instead ? [instead] : [])].map((seed) => seed.by))
  return attributes.size < 2 ? [] : [` who have ${attributes.size === 2 ? "both" : "all"} attributes`]
}

/** The attributes by which users are divided, such as "an `id`". */
export function attributesOf({ by }: Pick<UserSplit, "by">, last: "and" | "or"): Phrase {
  const attributes = new Set(by.map((seed) => seed.by))
  return joinLast(
    [...attributes].map((attribute) => phrase`${[articleOf(attribute)]} ${attribute}`),
    last,
  )
}

/** A percentage of the users; all of them need none. */
export function percentOf(size: number, users: Phrase): Phrase {
  return size === 100 ? users : phrase`${[percent(size)]} % of ${users}`
}
