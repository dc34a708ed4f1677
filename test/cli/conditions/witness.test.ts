import { join } from "node:path"
import { expect, test } from "vitest"
import { complement, intersection } from "../../../cli/conditions/context-set.ts"
import { findContext } from "../../../cli/conditions/witness.ts"
import { createWork, stepsForFlag, type Work } from "../../../cli/conditions/work.ts"
import { contextsOfSent } from "./contexts-of-sent.ts"
import { questions } from "./questions.ts"
import { scope } from "./world.ts"

// `lint`, `diff` and `test` show these contexts, and give up a flag by these steps, on every machine alike.

/** The set of a condition such as `not x.startsWith a`; without an attribute, it is about `x`. */
function setOf(text: string) {
  const [, not, attribute = "x", operator = "", value = ""] =
    /^(not )?(?:(\w+)\.)?(\w+) ?(.*)$/s.exec(text) ?? []
  const isGroup = operator === "any" || operator === "all"
  const set = contextsOfSent({ attribute: isGroup ? "" : attribute, operator, value }, scope)
  return not === undefined ? set : complement(set)
}

function ask(asked: readonly string[], shapes: "plain" | "any", most = stepsForFlag) {
  const work = createWork(most)
  let steps = 0
  const counted: Work = {
    get isSpent() {
      return work.isSpent
    },
    spend(more) {
      work.spend(more)
      steps += more
    },
    share: () => counted,
  }
  return { answer: findContext(intersection(...asked.map(setOf)), { shapes, work: counted }), steps }
}

/** A short search is given up if it has fewer steps; a long one is, too, but that takes a while to find out. */
const short = 1_000

/** The fewest steps with which a search is not given up. */
function stepsNeeded(asked: readonly string[], shapes: "plain" | "any", enough: number): number {
  const { kind } = ask(asked, shapes).answer
  let [few, needed] = [-1, Math.ceil(enough) + 1]
  while (needed - few > 1) {
    const middle = (few + needed) >> 1
    const { answer } = ask(asked, shapes, middle)
    if (answer.kind === kind) needed = middle
    else {
      expect(answer).toEqual({ kind: "unknown", because: "bound" })
      few = middle
    }
  }
  return needed
}

function wordsOf(asked: readonly string[], shapes: "plain" | "any"): string {
  const { answer, steps } = ask(asked, shapes)
  const isKnown = answer.kind !== "unknown"
  const least = isKnown && steps < short ? `, of which it needs ${stepsNeeded(asked, shapes, steps)}` : ""
  const found = (value: unknown) =>
    JSON.stringify(value, (_, each) => (each === undefined ? "missing" : each))
  const because = answer.kind === "unknown" ? `unknown: ${answer.because}` : "none"
  return `${answer.kind === "found" ? found(answer.value) : because}, ${steps} steps${least}`
}

const shortened = (text: string) => (text.length > 150 ? `${text.slice(0, 80)} … ${text.slice(-50)}` : text)

test.each(Object.entries(questions))("a context, and the steps to find it: %s", async (name, asked) => {
  const shapes = name === "lists" ? "any" : "plain"
  const lines = asked.map(
    (each) => `${shortened(each.join(" and "))}\n  ${shortened(wordsOf(each, shapes))}\n`,
  )
  await expect(lines.join("")).toMatchFileSnapshot(join(import.meta.dirname, `witnesses/${name}.txt`))
})
