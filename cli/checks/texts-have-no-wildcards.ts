import { operatorIn } from "../language/condition.ts"
import { findOperator, operatorThatAsks } from "../language/operators.ts"
import type { Where } from "../language/question.ts"
import { type ComparisonCheck, rewritingOperand } from "./comparison.ts"

/** A star compares as a star: only `matches` has a sign for any text, and operators that look for a part need none. */
export const textsHaveNoWildcards: ComparisonCheck = (comparison, report) => {
  const { source, row, value, text, condition } = comparison
  const pattern = patternIn(text)
  const where = row.question.kind === "part" ? row.question.where : undefined
  const isWhole = row.question.kind === "texts" && !row.question.isList
  if (pattern === undefined || !(isWhole || where === pattern.where || where === "inside")) return
  const asked = { kind: "part", where: pattern.where } as const
  const negation = row.negates === undefined ? undefined : findOperator(asked, true)
  const shown = `\`operator: ${negation ?? operatorThatAsks(asked)}\` and \`value: ${JSON.stringify(pattern.rest)}\``
  const isUnder = row.negates !== undefined && negation === undefined ? ", in a list under `none`" : ""
  const advice = isWhole ? `${shown}${isUnder}` : `\`value: ${JSON.stringify(pattern.rest)}\``
  report.add({
    code: "literal-star",
    message: `\`${operatorIn(condition)}\` compares a star as any other character. Write ${advice}.`,
    source,
    span: value,
    fix: isWhole ? undefined : rewritingOperand(comparison, pattern.rest),
  })
}

/** The text beside one or two stars at its ends, each perhaps after a point, and where it must be; `undefined` if it has none. */
function patternIn(text: string): { readonly rest: string; readonly where: Where } | undefined {
  const [, before, rest = "", after] = /^(\.?\*)?([^*\s][^*]*?)(\.?\*)?$/.exec(text) ?? []
  if (rest === "" || (before === undefined && after === undefined)) return undefined
  return { rest, where: before === undefined ? "start" : after === undefined ? "end" : "inside" }
}
