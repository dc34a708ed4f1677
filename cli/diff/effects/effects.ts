import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { sameValue } from "../../compile/meaning/canonical-json.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import { reachOf } from "../../conditions/reach.ts"
import { valueWords } from "../../phrases/people.ts"
import { type Phrase, phrase } from "../../phrases/phrase.ts"
import type { Difference } from "../differences/difference.ts"
import { createMayMeet, type MayMeet } from "../transitions/may-meet.ts"
import type { Move } from "../transitions/moves.ts"
import { type Outcome, outcomesOf } from "../transitions/outcomes.ts"
import type { Transition } from "../transitions/transition.ts"
import type { Effect } from "./effect.ts"
import { wordsOf } from "./people.ts"
import { listExample, shareStatement, statementsOf } from "./statements.ts"

/** Beyond this number of sentences about one change, the rest is counted. */
const mostSentences = 12

/** Who gets another value because of a difference in a flag that both sides have. */
export function effectsOf(transition: Transition, difference: Difference): readonly Effect[] {
  const { environment } = transition
  const moves = transition.moves.filter((move) => takesPart(difference, move))
  const share = difference.kind === "rule-edited" ? shareStatement(transition, difference, moves) : undefined
  if (share !== undefined) return [{ environment, ...share }]
  const statements = statementsOf(transition, moves, mostSentences)
  const said = new Set(statements.flatMap((statement) => statement.moves))
  const rest = moves.filter((move) => !said.has(move))
  return [...statements.map((statement) => ({ environment, ...statement })), ...restEffect(environment, rest)]
}

function restEffect(environment: string, moves: readonly Move[]): readonly Effect[] {
  const who = phrase`and ${moves.length} more group${[moves.length === 1 ? "" : "s"]} of people`
  return moves.length === 0 ? [] : [{ environment, who, moves }]
}

/** Whether people leave or come to an outcome that differs; true for what concerns everybody. */
function takesPart(difference: Difference, { before, after }: Move): boolean {
  switch (difference.kind) {
    case "rule-added":
    case "rule-removed":
    case "rule-edited":
    case "rule-moved":
      return (
        ("to" in difference && after.rule !== undefined && after.at === difference.to) ||
        ("from" in difference && before?.rule !== undefined && before.at === difference.from)
      )
    case "definition-changed":
      return difference.member === "defaultValue" && before?.rule === undefined && after.rule === undefined
    default:
      return true
  }
}

/** Who gets what of a new flag, rule by rule; nobody where everybody gets its default. */
export function newFlagEffects(
  flag: ResolvedFlag,
  environment: string,
  compileExpression: CompileExpression,
): readonly Effect[] {
  const outcomes = outcomesOf(flag, environment, compileExpression)
  const reaches = reachOf(outcomes.map(({ contexts }) => contexts))
  const moves = outcomes.flatMap((after): readonly Move[] => {
    const reach = reaches[after.at]
    if (reach === undefined || reach.kind === "unreachable") return []
    const witness = reach.kind === "unknown" ? undefined : reach.witness
    const doubt = reach.kind === "unknown" ? reach.because : undefined
    return [{ before: undefined, after, witness, doubt, isOnlyLists: reach.kind === "reachedByLists" }]
  })
  const rest = moves.at(-1)
  const last = moves.findLastIndex(({ after }) => after.value !== rest?.after.value)
  if (rest === undefined || (last === -1 && sameValue(rest.after.returns, flag.flag.defaultValue))) return []
  const mayMeet = createMayMeet()
  const shown = moves.slice(0, Math.min(last + 1, mostSentences))
  return [
    ...shown.map((move) => ({
      environment,
      moves: [move],
      who: newSentence(move, outcomes, environment, mayMeet),
    })),
    ...restEffect(environment, moves.slice(shown.length, last + 1)),
    {
      environment,
      moves: [rest],
      who: phrase`everyone${[last === -1 ? "" : " else"]} in ${environment} gets ${valueWords(rest.after.returns)}`,
    },
  ]
}

function newSentence(
  move: Move,
  outcomes: readonly Outcome[],
  environment: string,
  mayMeet: MayMeet,
): Phrase {
  const { after, doubt, isOnlyLists } = move
  const value = valueWords(after.returns)
  if (isOnlyLists) return phrase`${listExample(move, environment)} get ${value}`
  const people = { matching: [after], unmatchedBefore: [], unmatchedAfter: outcomes.slice(0, after.at) }
  const { subject, unless } = wordsOf(people, environment, mayMeet)
  return phrase`${subject} ${[doubt === undefined ? "get" : "may get"]} ${value}${unless}`
}
