import { compileFlag } from "../../sdk/evaluation/compile-flag.ts"
import { type Condition, comparisonsIn, parseCondition } from "../../sdk/evaluation/condition.ts"
import { phrase } from "../diagnostics/phrase.ts"
import { timelessEntry } from "../flag/sent-flag.ts"
import type { Flag } from "../language/flag.ts"
import type { KnownAttributes } from "../language/known-attributes.ts"
import { operatorOf } from "../language/operators.ts"
import { compareShares } from "./compare-shares.ts"
import { contextsFor, operandsIn, operandsOf } from "./contexts.ts"
import { causeName, explain } from "./explain.ts"
import type { Configuration, Remark } from "./form/form.ts"
import type { AddLoss } from "./form/losses.ts"
import type { Tool } from "./form/tool.ts"
import { expression } from "./meaning/expression.ts"
import { asSwitchedOn, createSides, hasIdleRules, type Tally } from "./sides.ts"
import { unnamedId, witnessesOf } from "./witnesses.ts"

/** Compares a configuration with the flag that was made from it, as SDKs get it. */
export type Prove = (configuration: Configuration, flag: Flag, findings: Findings) => void

interface Findings {
  readonly addLoss: AddLoss
  readonly addRemark: (remark: Remark) => void
}

/** What is proved. */
export interface Proved {
  readonly tool: Tool
  /** The attributes that the project declares. */
  readonly declared: KnownAttributes
  /** How many there are. */
  readonly configurations: number
}

const mostAttributes = 10
/** Contexts for one configuration: enough for each operand of a large flag, and bounded for the largest account. */
const [fewestContexts, mostContexts, contextsInAll] = [24, 1_000, 1_000_000]
/** With fewer contexts, each rule is reached in one way. */
const fewestForBranches = 200

const strayList = "a context with a list, which Flagstone compares item by item, gets a different value"

/** Starts a proof, which counts in `tally`. */
export function createProof({ tool, declared, configurations }: Proved, tally: Tally): Prove {
  const most = Math.max(fewestContexts, Math.min(mostContexts, Math.floor(contextsInAll / configurations)))
  const sharesCompared = new Set<string>()
  const isTextual = tool.contexts === "texts"
  return (configuration, flag, { addLoss, addRemark }) => {
    const entry = asSwitchedOn(timelessEntry(flag, configuration.environment), configuration)
    const conditions = (entry.environment?.rules ?? []).map(parseCondition)
    const rules = compileFlag(entry, conditions, { compileExpression: expression })
    const { node } = configuration
    const comparisons = conditions.flatMap(comparisonsIn)
    const required = Object.fromEntries(tool.required.map((name) => [name, unnamedId(name, comparisons)]))
    const read = new Set<string>()
    const sides = createSides(configuration, entry, rules, read)
    if (!configuration.enabled && sides.off(required) !== sides.default)
      addLoss("import-disproved", node, phrase`when off, it returns a different value`)
    const own = entry.environment?.enabled ? flag.configurations.get(configuration.environment)?.rules : []
    const ruled = (own ?? []).map(({ condition }) => condition)
    const witnesses = witnessesOf(flag, ruled, { isTextual, inEachWay: most >= fewestForBranches })
    for (const one of witnesses) sides.theirs({ ...required, ...one })
    const operands = operandsIn(node, ...configuration.guards.map((guard) => guard.node))
    const compared = Map.groupBy(comparisons, ({ attribute }) => attribute)
    compared.delete("")
    for (const name of read) if (!compared.has(name)) compared.set(name, [])
    const attributes = new Map(
      [...compared].slice(0, mostAttributes).map(([name, own]) => [name, own.flatMap(operandsOf)]),
    )
    const looksInside = comparisons.filter(isPart).map(({ attribute }) => attribute)
    const isList = (name: string) =>
      tool.comparesItems || declared?.get(name)?.type === "list" || looksInside.includes(name)
    const known = new Set<string>()
    const sources = { required, witnesses, attributes, operands, isTextual, most }
    for (const { context, changed } of contextsFor(sources)) {
      const theirs = sides.theirs(context)
      if (theirs === undefined) continue
      tally.contexts++
      const ours = sides.ours(context)
      if (theirs === ours) continue
      const from = { attributes, operands, isTextual, known, comparisons, isList }
      const cause = explain(context, changed, sides, from)
      const [code, what] = cause
      if (code !== "import-remark") tally.differing++
      if (known.size === known.add(causeName(cause)).size) continue
      if (code === "import-remark") {
        addRemark({ node, text: strayList, detail: what })
        continue
      }
      const when = hasIdleRules(configuration) ? ["when on, "] : []
      const given = phrase`${theirs} in ${[tool.title]}, ${ours} in Flagstone`
      addLoss(code, node, phrase`${when}${what} ${JSON.stringify(context)}: ${given}`)
    }
    compareShares(configuration, sides, { required, witnesses }, tool, tally, sharesCompared, addLoss)
  }
}

/** Whether a comparison asks for a part of a text, for which JsonLogic also looks into lists. */
function isPart({ operator }: Condition): boolean {
  const question = operatorOf(operator)?.question
  return question?.kind === "part" && question.where === "inside"
}
