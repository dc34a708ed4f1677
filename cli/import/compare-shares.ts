import type { Context } from "../../sdk/evaluation/evaluation.ts"
import { phrase } from "../diagnostics/phrase.ts"
import { attributesIn, isRamp, visit } from "../language/condition.ts"
import { fieldsOf } from "../language/written-condition.ts"
import { type Ingredients, operandsIn } from "./contexts.ts"
import type { Bucket, Configuration, Guard } from "./form/form.ts"
import type { AddLoss } from "./form/losses.ts"
import type { Tool } from "./form/tool.ts"
import type { Sides, Tally } from "./sides.ts"

/** How many ids are hashed for a rule, and for how many different rules: 30 to 70 ms each, and so for each stage of a ramp. */
const [ids, mostCompared] = [10_000, 100]
/** A fraction. By chance, the shares of 10,000 ids differ by more than this once in a million times. */
const tolerance = 0.035

/**
 * Compares how many ids get each value with the other tool's hash and with ours, once for each distinct rule. Shares of other
 * attributes use our hash on both sides.
 */
export function compareShares(
  configuration: Configuration,
  sides: Sides,
  { required, witnesses }: Pick<Ingredients, "required" | "witnesses">,
  { hash, title }: Tool,
  tally: Tally,
  compared: Set<string>,
  addLoss: AddLoss,
): void {
  const guard = configuration.guards.find(shareIn)
  const by = guard && shareIn(guard)
  if (by === undefined || guard === undefined) return
  tally.withShares++
  const rule = JSON.stringify([fieldsOf(guard.when), guard.gives, operandsIn(guard.node)])
  if (compared.has(rule)) tally.sharesCompared++
  if (compared.has(rule) || compared.size === mostCompared) return
  const contextOf = (base: Context, id: number) => ({ ...required, ...base, [by]: idOf(id) })
  const agrees = (base: Context) =>
    Array.from({ length: 30 }, (_, id) => contextOf(base, id)).every(
      (context) => sides.theirs(context) === sides.ours(context),
    )
  const bases = witnesses.filter((one) => by in one).filter(agrees)
  if (bases.length === 0) return
  tally.sharesCompared++
  const wrong = eachStage(bases, configuration).flatMap((base) => {
    const more = new Map<string, number>()
    const count = (value: string | undefined, by: number) =>
      more.set(value ?? "", (more.get(value ?? "") ?? 0) + by)
    for (let id = 0; id < ids; id++) {
      const context = contextOf(base, id)
      const mixed: Bucket = (seed, text) => (text === idOf(id) ? hash : sides.ourHash)(seed, text)
      count(sides.theirs(context, mixed), 1)
      count(sides.ours(context), -1)
    }
    return [...more].filter(([, difference]) => Math.abs(difference / ids) > tolerance)
  })
  if (wrong.length === 0) compared.add(rule)
  for (const [value, difference] of wrong)
    addLoss(
      "import-disproved",
      guard.node,
      phrase`${value} for ${difference} more of ${ids} ids in ${[title]} than in Flagstone`,
    )
}

/** The first context or, of a flag with a ramp, the first with each time. */
function eachStage(bases: readonly Context[], { guards }: Configuration): readonly Context[] {
  const parts = guards.flatMap(({ when }) => [...visit(when)])
  const ramp = parts.find(isRamp)
  const [clock] = ramp === undefined ? [] : attributesIn(ramp)
  if (clock === undefined) return bases.slice(0, 1)
  return [...new Map(bases.toReversed().map((base) => [base[clock], base])).values()]
}

/** Differs from every other string in a context. */
function idOf(id: number): string {
  return `id-${id}`
}

/** The attribute that a rule's shares use. */
function shareIn({ gives, when }: Guard): string | undefined {
  if (gives.kind === "split") return gives.by
  return [...visit(when)].flatMap((part) => (part.kind === "share" && part.to < 100 ? part.by : []))[0]
}
