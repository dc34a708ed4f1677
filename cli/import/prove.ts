import type { FlagEntry } from "../../sdk/contract/snapshot.ts"
import { compileFlag } from "../../sdk/evaluation/compile-flag.ts"
import { type Condition, comparisonsIn, parseCondition } from "../../sdk/evaluation/condition.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { phrase } from "../phrases/phrase.ts"
import { type CountedOutcome, startCoverage } from "../specs/coverage.ts"
import { branchesOf } from "./branches.ts"
import { compareShares } from "./compare-shares.ts"
import { contextsFor, operandsIn, operandsOf } from "./contexts.ts"
import { causeName, explain } from "./explain.ts"
import type { Configuration } from "./form/form.ts"
import type { AddLoss } from "./form/losses.ts"
import type { Tool } from "./form/tool.ts"
import { expression } from "./meaning/expression.ts"
import { withTyped } from "./neighbours.ts"
import { createSides, hasIdleRules, type Tally } from "./sides.ts"

/** Compares a configuration with the entry that was made from it. */
export type Prove = (configuration: Configuration, entry: FlagEntry, addLoss: AddLoss) => void

const mostAttributes = 10
/** Contexts for one configuration: enough for each operand of a large flag, and bounded for the largest account. */
const [fewestContexts, mostContexts, contextsInAll] = [24, 1_000, 1_000_000]
/** With fewer contexts, each rule is reached in one way. */
const fewestForBranches = 200

/** `configurations`: how many there are to prove. */
export function createProof(tool: Tool, tally: Tally, configurations: number): Prove {
  const most = Math.max(fewestContexts, Math.min(mostContexts, Math.floor(contextsInAll / configurations)))
  const coverage = startCoverage(expression)
  const sharesCompared = new Set<string>()
  const isTextual = tool.contexts === "texts"
  return (configuration, entry, addLoss) => {
    const conditions = (entry.environment?.rules ?? []).map(parseCondition)
    const rules = compileFlag(entry, conditions, { compileExpression: expression })
    const { node, environment } = configuration
    const comparisons = conditions.flatMap(comparisonsIn)
    const required = Object.fromEntries(tool.required.map((name) => [name, unnamedId(name, comparisons)]))
    const read = new Set<string>()
    const sides = createSides(configuration, entry, rules, read)
    if (!configuration.enabled && sides.off(required) !== sides.default)
      addLoss("import-disproved", node, phrase`when off, it returns a different value`)
    const branches = most < fewestForBranches ? [] : branchesOf(entry)
    const outcomes = [
      ...coverage.outcomesOf(environment, entry),
      ...branches.flatMap((branch) => coverage.outcomesOf(environment, branch).filter(isByLastRule(branch))),
    ]
    const found = outcomes.map(({ witness = {} }) => witness).filter((one) => Object.keys(one).length > 0)
    const witnesses = [{}, ...(isTextual ? found.map(asTexts) : found.flatMap(withTyped))]
    for (const one of witnesses) sides.theirs({ ...required, ...one })
    const operands = operandsIn(node, ...configuration.guards.map((guard) => guard.node))
    const compared = Map.groupBy(comparisons, ({ attribute }) => attribute)
    compared.delete("")
    for (const name of read) if (!compared.has(name)) compared.set(name, [])
    const attributes = new Map(
      [...compared].slice(0, mostAttributes).map(([name, own]) => [name, own.flatMap(operandsOf)]),
    )
    const known = new Set<string>()
    const sources = { required, witnesses, attributes, operands, isTextual, most }
    for (const { context, changed } of contextsFor(sources)) {
      const theirs = sides.theirs(context)
      if (theirs === undefined) continue
      tally.contexts++
      const ours = sides.ours(context)
      if (theirs === ours) continue
      tally.differing++
      const from = { attributes, operands, isTextual, known, comparisons }
      const cause = explain(context, changed, sides, from)
      if (known.size === known.add(causeName(cause)).size) continue
      const [code, what] = cause
      const when = hasIdleRules(configuration) ? ["when on, "] : []
      const given = phrase`${theirs} in ${[tool.title]}, ${ours} in Flagstone`
      addLoss(code, node, phrase`${when}${what} ${JSON.stringify(context)}: ${given}`)
    }
    compareShares(configuration, sides, { required, witnesses }, tool, tally, sharesCompared, addLoss)
  }
}

function asTexts(context: Context): Context {
  return Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)]))
}

function isByLastRule({ environment }: FlagEntry): (outcome: CountedOutcome) => boolean {
  const last = (environment?.rules.length ?? 0) - 1
  return ({ by }) => by === last
}

/** An id that no rule names, not even its start, end or middle, because the rules about ids come first. */
function unnamedId(attribute: string, comparisons: readonly Condition[]): string {
  const about = comparisons.filter((one) => one.attribute === attribute)
  const operands = about.flatMap(operandsOf).map((operand) => operand.toLowerCase())
  const whole = new Set(operands)
  const parts = operands.filter((operand) => operand.length < 8)
  const isFree = (id: string) => !whole.has(id) && !parts.some((part) => id.includes(part))
  const numbers = Array.from({ length: whole.size + 1 }, (_, at) => at + 1)
  return numbers.flatMap((number) => [`user-${number}`, `${number}x`, `q${number}`]).find(isFree) ?? "user-1"
}
