import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { complement, intersection } from "../../../cli/conditions/context-set.ts"
import { findContext } from "../../../cli/conditions/witness.ts"
import { createWork, stepsForFlag } from "../../../cli/conditions/work.ts"
import { contextsOfSent } from "./contexts-of-sent.ts"
import { matcherOf, scope } from "./world.ts"

// `lint`, `diff` and `test` show a context where one is found, and say "may" where it is unknown. witnesses.txt has conditions of one
// attribute or of few by what must be said of them; which context is found is up to the search.

/** Such as `not x.startsWith a`; without an attribute, it is about `x`. */
function parse(text: string) {
  const [, not, attribute = "x", operator = "", value = ""] =
    /^(not )?(?:(\w+)\.)?(\w+) ?(.*)$/s.exec(text) ?? []
  const isGroup = operator === "any" || operator === "all"
  return { condition: { attribute: isGroup ? "" : attribute, operator, value }, holds: not === undefined }
}

const sections = readFileSync(join(import.meta.dirname, "witnesses.txt"), "utf8")
  .split(/^# /m)
  .slice(1)
const rows = sections.flatMap((section) => {
  const [title = "", ...questions] = section.trim().split("\n")
  const [, said = "", shapes] = /^(.+?)( \(of lists, too\))?$/.exec(title) ?? []
  return questions.map((question) => [question, said, shapes === undefined ? "plain" : "any"] as const)
})

test.each(rows)("whether a context matches: %s: %s", (question, said, shapes) => {
  const asked = question.split(" and ").map(parse)
  const sets = asked.map(({ condition, holds }) => {
    const set = contextsOfSent(condition, scope)
    return holds ? set : complement(set)
  })
  const answer = findContext(intersection(...sets), { shapes, work: createWork(stepsForFlag) })
  expect(answer.kind === "unknown" ? `unknown: ${answer.because}` : answer.kind).toBe(said)
  if (answer.kind !== "found") return
  for (const { condition, holds } of asked) expect(matcherOf(condition)(answer.value)).toBe(holds)
})
