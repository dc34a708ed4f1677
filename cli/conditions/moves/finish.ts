import type { Context } from "../../../sdk/evaluation/evaluation.ts"
import { always } from "../../language/condition.ts"
import { encodeLeaf } from "../../language/encode.ts"
import { encodeTerms, type Term } from "../clause.ts"
import { joinTerms, simplify } from "../simplify.ts"
import type { Solvers } from "../solver.ts"
import type { Divide } from "./division.ts"
import type { Group, UserSplit } from "./group.ts"
import { isPlain, type Move } from "./moves.ts"
import type { Sides } from "./outcome.ts"
import type { Part, Splits } from "./part.ts"
import { commonTerm } from "./terms-of-moves.ts"

/** What is known of all parts. */
interface Described {
  readonly parts: readonly Part[]
  readonly termOf: (move: Move) => Term
  readonly divide: Divide
  readonly splits: Splits
  readonly sides: Sides
  readonly solvers: Solvers
}

/** Returns the group of a part, in finished terms. */
export function createFinish(described: Described): (part: Part) => Group {
  const { splits, sides, solvers } = described
  const key = sides.scope.seed
  return (part) => {
    const { before, after, isInFull, division } = part
    const terms = isInFull ? joinTerms(part.terms, solvers.any) : part.terms
    const condition = encodeTerms(terms, key)
    const doubt = part.doubt ?? (condition === undefined || !isInFull ? "bound" : undefined)
    const moves = movesIn(part, terms, described)
    const witness = doubt === undefined ? witnessOf(moves, terms, solvers) : undefined
    const matching = commonTerm(terms).filter(({ holds }) => holds)
    return {
      before: sides.isNew ? undefined : before,
      after,
      users: usersIn(moves, terms, witness, solvers),
      condition: condition ?? encodeTerms([matching], key) ?? encodeLeaf(always, key),
      doubt,
      witness,
      moves,
      split: doubt === undefined ? (splits.get(division?.name) ?? splitOfAll(part, described)) : undefined,
    }
  }
}

/** The moves of a part's users; of a part that was divided, not all of its moves need be. */
function movesIn(
  part: Part,
  terms: readonly Term[],
  { parts, termOf, solvers: { any } }: Described,
): readonly Move[] {
  if (!parts.some((other) => other !== part && other.moves === part.moves)) return part.moves
  const set = any.unionOf(terms)
  return part.moves.filter((move) => !any.isEmpty(set, any.unionOf([termOf(move)])))
}

function witnessOf(
  moves: readonly Move[],
  terms: readonly Term[],
  { any, plain }: Solvers,
): Context | undefined {
  const set = any.unionOf(terms)
  const known = moves.find(({ witness }) => witness !== undefined && any.isIn(set, witness))
  if (known !== undefined) return known.witness
  const answers = [plain, any].map(({ find }) => find(set))
  return answers.flatMap((answer) => (answer.kind === "found" ? [answer.value] : []))[0]
}

/** The users of terms, whose attributes have one value each. */
function usersIn(
  moves: readonly Move[],
  terms: readonly Term[],
  witness: Context | undefined,
  { plain }: Solvers,
): readonly Term[] {
  if (moves.every(({ isOnlyLists }) => isOnlyLists)) return []
  const users = simplify(terms, plain)
  if (users.length === 1 && witness !== undefined && isPlain(witness)) return users
  return users.filter((term) => plain.find(plain.unionOf([term])).kind !== "none")
}

/** The split that also says what those users of a part get who lack the attribute. */
function splitOfAll({ terms }: Part, { divide, splits, sides: { isNew } }: Described): UserSplit | undefined {
  const [name, ...others] = new Set(terms.map((term) => divide(term)?.name))
  const split = splits.get(name)
  return others.length === 0 && (isNew || (split?.coversOthers && split.isKnown)) ? split : undefined
}
