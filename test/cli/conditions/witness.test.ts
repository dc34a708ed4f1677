import { join } from "node:path"
import { expect, test } from "vitest"
import { complement, intersection } from "../../../cli/conditions/context-set.ts"
import { findContext } from "../../../cli/conditions/witness.ts"
import { createWork, stepsForFlag } from "../../../cli/conditions/work.ts"
import { contextsOfSent } from "./contexts-of-sent.ts"
import { questions } from "./questions.ts"
import { scope } from "./world.ts"

// `lint`, `diff` and `test` show these contexts, the same on every machine; `npx vitest run witness -u` writes them.

/** The set of a condition such as `not x.startsWith a`; without an attribute, it is about `x`. */
function setOf(text: string) {
  const [, not, attribute = "x", operator = "", value = ""] =
    /^(not )?(?:(\w+)\.)?(\w+) ?(.*)$/s.exec(text) ?? []
  const isGroup = operator === "any" || operator === "all"
  const set = contextsOfSent({ attribute: isGroup ? "" : attribute, operator, value }, scope)
  return not === undefined ? set : complement(set)
}

function wordsOf(asked: readonly string[], shapes: "plain" | "any"): string {
  const answer = findContext(intersection(...asked.map(setOf)), { shapes, work: createWork(stepsForFlag) })
  if (answer.kind !== "found") return answer.kind === "unknown" ? `unknown: ${answer.because}` : "none"
  return JSON.stringify(answer.value, (_, each) => (each === undefined ? "missing" : each))
}

const shortened = (text: string) => (text.length > 150 ? `${text.slice(0, 80)} … ${text.slice(-50)}` : text)

test.each(Object.entries(questions))("a context that matches: %s", async (name, asked) => {
  const shapes = name === "lists" ? "any" : "plain"
  const lines = asked.map(
    (each) => `${shortened(each.join(" and "))}\n  ${shortened(wordsOf(each, shapes))}\n`,
  )
  await expect(lines.join("")).toMatchFileSnapshot(join(import.meta.dirname, `witnesses/${name}.txt`))
})
