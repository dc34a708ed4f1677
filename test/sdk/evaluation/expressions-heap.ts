import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { flagOf, rule } from "../../proxy/ofrep/evaluated-flags.ts"
import { seeded } from "../../seeded.ts"

// Run by expressions-heap.test.ts in a separate process, whose garbage collector it may call. Prints by how many bytes
// the heap has grown when forty flags with an expression (`#` in it is the flag's number) have read texts of parts.
const [, , source = "", begin = "", parts = "", count = ""] = process.argv
const random = seeded(1)

function strangersText(): string {
  const words = parts.split(",")
  let text = begin
  while (text.length < 1000) text += words[Math.floor(random() * words.length)]
  return text
}

function heap(): number {
  for (let time = 0; time < 4; time++) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const { evaluateAll } = await createEvaluator({
  flags: Array.from({ length: 40 }, (_, at) =>
    flagOf(`flag-${10 + at}`, "boolean", false, [
      rule("matches", "name", source.replace("#", String(at)), true),
    ]),
  ),
})
evaluateAll({ name: "" })
const before = heap()
for (let evaluation = 0; evaluation < Number(count); evaluation++) evaluateAll({ name: strangersText() })
process.stdout.write(String(heap() - before))
