/** Weights as percentages of at most `decimals` decimals that add up to 100; 0 where there are none. */
export function sharesOf(weights: readonly number[], decimals = 3): readonly number[] {
  const sum = weights.reduce((sum, weight) => sum + weight, 0)
  const scale = 10 ** decimals
  let [before, done] = [0, 0]
  return weights.map((weight) => {
    done += weight
    const end = sum === 0 ? 0 : Math.round((done / sum) * 100 * scale)
    const share = (end - before) / scale
    before = end
    return share
  })
}
