import { type Outcome, type Split, toCaller, toValue } from "./form/form.ts"

/**
 * Shares in proportion to weights, in percent with at most `decimals` decimals. Those of 0 are left out, and a single one is
 * for everyone.
 */
export function splitOf(
  by: string,
  seed: string | undefined,
  weighted: readonly { readonly weight: number; readonly gives: Outcome }[],
  decimals = 3,
): Outcome | Split {
  const sum = weighted.reduce((sum, { weight }) => sum + weight, 0)
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
