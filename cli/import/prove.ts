import type { FlagEntry, Json } from "../../proxy/contract/snapshot.ts"
import { type CompiledRules, evaluateFlag } from "../../sdk/evaluation/compile-flag.ts"
import { type ParsedCondition, parseCondition } from "../../sdk/evaluation/condition.ts"
import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { createFlagCompiler } from "../../sdk/evaluation/flag-compiler.ts"
import { createShares } from "../../sdk/evaluation/share.ts"
import { canonicalJson } from "../compile/meaning/canonical-json.ts"
import { startCoverage } from "../specs/coverage.ts"
import { contextsFor, operandsIn, twinsOf, typed } from "./contexts.ts"
import { partsOf } from "./form/condition.ts"
import type { Bucket, Configuration, Guard, ImportedFlag } from "./form/form.ts"
import type { Lose, LossCode } from "./form/losses.ts"
import type { Tool } from "./form/tool.ts"
import { expression } from "./meaning/expression.ts"

/** How many contexts were tried, and for how many the tools differ. */
export interface Tally {
  contexts: number
  differing: number
  /** Configurations with shares, and those of them whose shares were compared with ids. */
  withShares: number
  sharesCompared: number
}

/** Compares a configuration with what was made of it. */
export type Prove = (
  flag: ImportedFlag,
  configuration: Configuration,
  entry: FlagEntry,
  lose: Lose,
) => Promise<void>

/** Ids that fall into shares, for one configuration, and for how many configurations: 30 to 70 ms each. */
const [ids, mostCompared] = [10_000, 100]
const mostAttributes = 10
/** Contexts for one configuration: enough for each operand of a large flag, and bounded for the largest account. */
const [fewestContexts, mostContexts, contextsInAll] = [24, 200, 1_000_000]
/** Of 1. Two hashes of 10,000 ids differ by more than this once in a million times. */
const tolerance = 0.035

/** `configurations`: how many there are to prove. */
export function createProof(tool: Tool, tally: Tally, configurations: number): Prove {
  const most = Math.max(fewestContexts, Math.min(mostContexts, Math.floor(contextsInAll / configurations)))
  const coverage = startCoverage(expression)
  const required = Object.fromEntries(tool.required.map((name) => [name, "user-1"]))
  const isTextual = tool.contexts === "texts"
  return async (flag, configuration, entry, lose) => {
    const rules = await createFlagCompiler().compile(entry)
    const { node, environment } = configuration
    const read = new Set<string>()
    const sides = createSides(configuration, entry, rules, read)
    if (!configuration.enabled && sides.off({ ...required }) !== sides.default)
      lose("import-disproved", node, "when off, it returns another value")
    const witnesses = coverage
      .outcomesOf(environment, entry)
      .flatMap(({ witness }): readonly Context[] => (witness === undefined ? [] : [witness]))
    for (const one of [{}, ...witnesses]) sides.theirs({ ...required, ...one }, sides.bucket)
    const operands = operandsIn(node)
    const compared = new Map<string, unknown[]>()
    for (const rule of entry.environment?.rules ?? []) addOperands(parseCondition(rule), compared)
    for (const name of read) if (!compared.has(name)) compared.set(name, [])
    const attributes = new Map([...compared].slice(0, mostAttributes))
    const texts = isTextual ? witnesses.map(asTexts) : witnesses.flatMap((one) => [one, typed(one)])
    const shown = new Set<string>()
    for (const { context, changed } of contextsFor({
      required,
      witnesses: texts,
      attributes,
      operands,
      isTextual,
      most,
    })) {
      const theirs = sides.theirs(context, sides.bucket)
      if (theirs === undefined) continue
      tally.contexts++
      const ours = sides.ours(context)
      if (theirs === ours) continue
      tally.differing++
      const [code, what] = explain(
        context,
        changed,
        sides,
        [...attributes.keys()],
        operands,
        isTextual,
        shown,
      )
      if (shown.size === shown.add(`${code} ${what}`).size) continue
      const when = hasIdleRules(configuration) ? "when on, " : ""
      lose(code, node, `${when}${what} ${JSON.stringify(context)}: ${theirs} there, ${ours} here`)
    }
    compareShares(flag, configuration, sides, texts, tool, tally, lose)
  }
}

/** Whether it is off and has rules. */
export function hasIdleRules({ enabled, guards }: Configuration): boolean {
  return !enabled && guards.length > 0
}

/** Both sides' values, as canonical JSON. The caller's default counts as ours, because that was accepted. */
interface Sides {
  readonly bucket: Bucket
  /** On both sides, a flag that is off and has rules is evaluated as if it were on. */
  readonly theirs: (context: Context, bucket: Bucket) => string | undefined
  readonly ours: (context: Context) => string
  /** The other tool's value, with the flag on or off as it is. */
  readonly off: (context: Context) => string | undefined
  readonly default: string
}

/**
 * `bucket` is our hash. The other tool's rules are evaluated with it, too, so that both sides have the same users in a share.
 */
function createSides(
  configuration: Configuration,
  { flag }: FlagEntry,
  rules: CompiledRules,
  read: Set<string>,
): Sides {
  const shareOf = createShares()
  const bucket: Bucket = (seed, text) => shareOf(seed)(text) / 2 ** 32
  const ask = (context: Context, bucket: Bucket, isOn?: boolean) => {
    const attributes = (name: string) => {
      read.add(name)
      return Object.hasOwn(context, name) ? (context[name] ?? undefined) : undefined
    }
    const outcome = configuration.meaning(attributes, bucket, isOn)
    return outcome && canonicalText(outcome.kind === "caller" ? flag.defaultValue : outcome.value)
  }
  return {
    bucket,
    theirs: (context, bucket) => ask(context, bucket, hasIdleRules(configuration) || undefined),
    ours(context) {
      const found = evaluateFlag(rules, context)
      return found.kind === "evaluated" ? canonicalText(found.value) : found.kind
    },
    off: (context) => ask(context, bucket),
    default: canonicalText(flag.defaultValue),
  }
}

function canonicalText(value: Json): string {
  return typeof value === "object" ? canonicalJson(value) : JSON.stringify(value)
}

/** The cause of a difference: an attribute's type, preferably one reported before or the one that was changed; else a missing attribute; else a defect of the import. */
function explain(
  context: Context,
  changed: string,
  { theirs, ours, bucket }: Sides,
  attributes: readonly string[],
  operands: readonly unknown[],
  isTextual: boolean,
  known: ReadonlySet<string>,
): readonly [LossCode, string] {
  const agree = (other: Context) => {
    const value = theirs(other, bucket)
    return value !== undefined && value === ours(other)
  }
  const twins = (value: unknown) =>
    isTextual ? twinsOf(value).map((twin) => (twin === undefined ? twin : String(twin))) : twinsOf(value)
  const mistyped = (...names: readonly string[]) =>
    ["import-context-mistyped", `an unexpected \`${names.join("`, `")}\`, such as`] as const
  const names = Object.keys(context).sort((a, b) => Number(b === changed) - Number(a === changed))
  // Leaving an attribute out changes more than writing it with another type.
  const causes = [false, true].flatMap((isGone) =>
    names.filter((name) =>
      twins(context[name]).some(
        (twin) =>
          (twin === undefined && context[name] !== "") === isGone && agree({ ...context, [name]: twin }),
      ),
    ),
  )
  const cause = causes.find((name) => known.has(mistyped(name).join(" "))) ?? causes[0]
  if (cause !== undefined) return mistyped(cause)
  const otherType = (value: unknown) => {
    const found = twins(value)
    return found.find((twin) => twin !== undefined && typeof twin !== "string") ?? found[0] ?? value
  }
  const allTyped = Object.fromEntries(names.map((name) => [name, otherType(context[name])]))
  if (agree(allTyped)) return mistyped(...names)
  for (const name of attributes.filter((name) => context[name] === undefined))
    if (["text", ...operands].slice(0, 20).some((value) => agree({ ...context, [name]: value })))
      return ["import-context-missing", `no \`${name}\`, such as`]
  return ["import-disproved", "another value for"]
}

/** Adds the operands of each attribute. */
function addOperands(parsed: ParsedCondition, found: Map<string, unknown[]>): void {
  if (parsed.kind === "unreadable") return
  if (parsed.kind !== "comparison") {
    for (const part of parsed.parts) addOperands(part, found)
    return
  }
  const { attribute, operator, value } = parsed.condition
  const values = operator === "in" || operator === "notIn" ? JSON.parse(value) : [value]
  if (attribute !== "") found.set(attribute, [...(found.get(attribute) ?? []), ...values])
}

function asTexts(context: Context): Context {
  return Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)]))
}

/** Compares how many of the ids get each value by the other tool's own hash and by ours. */
function compareShares(
  { key }: ImportedFlag,
  configuration: Configuration,
  sides: Sides,
  witnesses: readonly Context[],
  tool: Tool,
  tally: Tally,
  lose: Lose,
): void {
  const guard = configuration.guards.find(shareIn)
  const by = guard && shareIn(guard)
  if (by === undefined || guard === undefined) return
  if (++tally.withShares > mostCompared) return
  const required = Object.fromEntries(tool.required.map((name) => [name, "user-1"]))
  const agrees = (one: Context) =>
    Array.from({ length: 30 }, (_, id) => ({ ...required, ...one, [by]: `user-${id}` })).every(
      (context) => sides.theirs(context, sides.bucket) === sides.ours(context),
    )
  const base = witnesses.filter((one) => by in one).find(agrees)
  if (base === undefined) return
  const counts = [new Map<string, number>(), new Map<string, number>()] as const
  for (let id = 0; id < ids; id++) {
    const context = { ...required, ...base, [by]: `user-${id}` }
    for (const [side, value] of [sides.theirs(context, tool.hash), sides.ours(context)].entries())
      counts[side as 0 | 1].set(value ?? "", (counts[side as 0 | 1].get(value ?? "") ?? 0) + 1)
  }
  tally.sharesCompared++
  for (const value of new Set([...counts[0].keys(), ...counts[1].keys()])) {
    const [theirs, ours] = counts.map((count) => (count.get(value) ?? 0) / ids) as [number, number]
    if (Math.abs(theirs - ours) > tolerance)
      lose(
        "import-disproved",
        guard.node,
        `\`${key}\` returns ${value} for ${(theirs * 100).toFixed(1)} % of ${ids} ids there, and for ${(ours * 100).toFixed(1)} % here`,
      )
  }
}

/** The attribute that a rule's shares go by. */
function shareIn({ gives, when }: Guard): string | undefined {
  if (gives.kind === "split") return gives.by
  return partsOf(when).flatMap((part) => (part.kind === "share" && part.to < 100 ? part.by : []))[0]
}
