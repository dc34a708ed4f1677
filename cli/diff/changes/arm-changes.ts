import { canonicalJson } from "../../language/canonical-json.ts"
import type { Arm, Split } from "../../language/flag.ts"
import { toValue } from "../../language/tree.ts"

/** How many arms of a split have a different value than before, and how many a different share. New and removed arms count among the latter. */
export function armChanges(
  before: Split,
  after: Split,
): { readonly values: number; readonly shares: number } {
  const arms = before.arms.map((arm, at) => [arm, after.arms[at]] as const)
  const count = (read: (arm: Arm) => unknown) =>
    arms.filter(([arm, newArm]) => newArm !== undefined && read(arm) !== read(newArm)).length
  return {
    values: count(({ returnValue }) => returnValue && canonicalJson(toValue(returnValue))),
    shares: count(({ thousandths }) => thousandths) + Math.abs(before.arms.length - after.arms.length),
  }
}
