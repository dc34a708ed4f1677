import type { FlagEntry } from "../../proxy/contract/snapshot.ts"
import { type Condition, comparisonsIn, parseCondition } from "../../sdk/evaluation/condition.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { createFlagCompiler } from "../../sdk/evaluation/flag-compiler.ts"
import { type Operand, operators } from "../compile/grammar/operators.ts"
import { withCase } from "../conditions/ignoring-case.ts"
import { listOf } from "../conditions/list.ts"
import { startCoverage } from "../specs/coverage.ts"
import { compareShares } from "./compare-shares.ts"
import { contextsFor, distinct, operandsIn, typed } from "./contexts.ts"
import { explain } from "./explain.ts"
import type { Configuration } from "./form/form.ts"
import type { AddLoss } from "./form/losses.ts"
import type { Tool } from "./form/tool.ts"
import { expression } from "./meaning/expression.ts"
import { createSides, hasIdleRules, type Tally } from "./sides.ts"

/** Compares a configuration with the entry that was made from it. */
export type Prove = (configuration: Configuration, entry: FlagEntry, addLoss: AddLoss) => Promise<void>

const mostAttributes = 10
/** Contexts for one configuration: enough for each operand of a large flag, and bounded for the largest account. */
const [fewestContexts, mostContexts, contextsInAll] = [24, 200, 1_000_000]
/** `configurations`: how many there are to prove. */
export function createProof(tool: Tool, tally: Tally, configurations: number): Prove {
  const most = Math.max(fewestContexts, Math.min(mostContexts, Math.floor(contextsInAll / configurations)))
  const coverage = startCoverage(expression)
  const sharesCompared = new Set<string>()
  const required = Object.fromEntries(tool.required.map((name) => [name, "user-1"]))
  const isTextual = tool.contexts === "texts"
  return async (configuration, entry, addLoss) => {
    const rules = await createFlagCompiler().compile(entry)
    const { node, environment } = configuration
    const read = new Set<string>()
    const sides = createSides(configuration, entry, rules, read)
    if (!configuration.enabled && sides.off(required) !== sides.default)
      addLoss("import-disproved", node, "when off, it returns a different value")
    const outcomes = coverage.outcomesOf(environment, entry)
    const found = outcomes.flatMap(({ witness }): readonly Context[] => (witness ? [witness] : []))
    const twins = isTextual ? found.map(asTexts) : found.flatMap((one) => [one, typed(one)])
    const witnesses = distinct([{}, ...twins])
    for (const one of witnesses) sides.theirs({ ...required, ...one })
    const operands = operandsIn(node, ...configuration.guards.map((guard) => guard.node))
    const compared = new Map<string, unknown[]>()
    const comparisons = (entry.environment?.rules ?? []).flatMap((rule) =>
      comparisonsIn(parseCondition(rule)),
    )
    for (const one of comparisons) {
      const { attribute, operator, value } = one
      const values = operandOf(one) === "list" ? listOf(one) : operator === "share" ? [] : [value]
      if (attribute !== "") compared.set(attribute, [...(compared.get(attribute) ?? []), ...values])
    }
    for (const name of read) if (!compared.has(name)) compared.set(name, [])
    const attributes = new Map([...compared].slice(0, mostAttributes))
    const numbers = new Set<string>()
    for (const one of comparisons) if (operandOf(one) === "number") numbers.add(one.attribute)
    for (const one of comparisons)
      if (operandOf(one) !== "number" && operandOf(one) !== "none") numbers.delete(one.attribute)
    const known = new Set<string>()
    const sources = { required, witnesses, attributes, operands, isTextual, most }
    for (const { context, changed } of contextsFor(sources)) {
      const theirs = sides.theirs(context)
      if (theirs === undefined) continue
      tally.contexts++
      const ours = sides.ours(context)
      if (theirs === ours) continue
      tally.differing++
      const [code, what] = explain(context, changed, sides, {
        attributes,
        operands,
        isTextual,
        known,
        numbers,
      })
      if (known.size === known.add(`${code} ${what}`).size) continue
      const when = hasIdleRules(configuration) ? "when on, " : ""
      addLoss(
        code,
        node,
        `${when}${what} ${JSON.stringify(context)}: ${theirs} in ${tool.title}, ${ours} in Flagstone`,
      )
    }
    compareShares(configuration, sides, witnesses, tool, tally, sharesCompared, addLoss)
  }
}

/** The form of the operand; `undefined` for a share's. */
function operandOf({ operator }: Condition): Operand | undefined {
  return operators.get(withCase(operator))?.operand
}

function asTexts(context: Context): Context {
  return Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)]))
}
