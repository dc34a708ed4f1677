import { phrase } from "../diagnostics/phrase.ts"
import { all, type Condition, type RampStage, type Share, visit } from "../language/condition.ts"
import { operatorThatAsks } from "../language/operators.ts"
import { type Imported, type Outcome, type Remark, type Split, toCaller, toValue } from "./form/form.ts"
import type { Node } from "./form/tree.ts"

interface Weighted {
  readonly weight: number
  readonly gives: Outcome
}

/**
 * Shares in proportion to weights, in percent with at most `decimals` decimals. Shares of 0 are left
 * out, and a single remaining one is for everyone.
 */
export function splitOf(
  by: string,
  seed: string | undefined,
  weighted: readonly Weighted[],
  decimals = 3,
): Outcome | Split {
  const sum = sumOf(weighted)
  const scale = 10 ** decimals
  let [before, done] = [0, 0]
  const into = weighted.flatMap(({ weight, gives }) => {
    done += weight
    const end = sum === 0 ? 0 : Math.round((done / sum) * 100 * scale)
    const share = (end - before) / scale
    before = end
    return share > 0 && gives.kind === "value" ? [{ share, value: gives.value }] : []
  })
  const [only, another] = into
  if (only === undefined) return toCaller
  return another === undefined ? toValue(only.value) : { kind: "split", by, seed, into }
}

/** The users from 0 to below a percentage. */
export function firstShare(by: string, to: number, seed: string | undefined): Share {
  return { kind: "share", by, from: 0, to, seed }
}

/** The users from 0 to below a percentage that grows at moments of the attribute `clock`: a ramp, or with one stage a share. */
export function growingShare(by: string, stages: readonly RampStage[], clock: string): Condition {
  const parts = stages.map(({ at, share }) =>
    all(
      { kind: "comparison", attribute: clock, operator: atOrAfter, operand: at },
      firstShare(by, share, undefined),
    ),
  )
  const [only, another] = parts
  if (only !== undefined && another === undefined) return only
  return { kind: "any", parts, ramp: { by, from: 0, seed: undefined, stages } }
}

const atOrAfter = operatorThatAsks({ kind: "bound", order: "moment", isUpper: false, isInclusive: true })

/** The attribute of the time that growing shares compare, for `clock:` in the project file; `undefined` if there are none. */
export function clockIn({ flags }: Imported): string | undefined {
  const guards = flags.flatMap(({ configurations }) => configurations.flatMap((one) => one.guards))
  const parts = guards.flatMap(({ when }) => [...visit(when)])
  const begun = parts.find((part) => part.kind === "comparison" && part.operator === atOrAfter)
  return begun?.kind === "comparison" ? begun.attribute : undefined
}

/** A remark on percentages that do not add up. `asWhere`: which versions of the tool do the same. */
export function remarkOnSum(
  node: Node,
  flag: string,
  environment: string,
  weighted: readonly Weighted[],
  asWhere = "",
): readonly Remark[] {
  const sum = sumOf(weighted)
  if (weighted.length === 0 || Math.abs(sum - 100) < 0.1) return []
  const text = `percentages that do not add up to 100 are scaled to 100${asWhere}`
  return [{ node, flag, environment, text, detail: phrase`${sum} %` }]
}

function sumOf(weighted: readonly Weighted[]): number {
  return weighted.reduce((sum, { weight }) => sum + weight, 0)
}
