import type { Share } from "../language/condition.ts"
import type { Node } from "../language/tree.ts"
import { type ConditionCheck, conditionsIn } from "./conditions-in-file.ts"
import { endsOf, isNumber, thousandthsOf } from "./share.ts"

/**
 * A share ends after it begins. In a segment it has a seed, unless it begins at 0: a segment has no flag key to hash.
 */
export const sharesAreRanges: ConditionCheck = (file, _project, report) => {
  const { source } = file
  const check = ({ seed, at }: Share) => {
    if (at?.name === undefined) return
    const add = (message: string, span: Node) => report.add({ code: "bad-share", message, source, span })
    const { from, to } = endsOf(at.value)
    const wrong = [from, to].find((end) => isNumber(end) && thousandthsOf(end) === undefined)
    if (wrong !== undefined) {
      add("`from` and `to` must be numbers from 0 to 100, with at most three decimals.", wrong)
      return
    }
    const [first, last] = [thousandthsOf(from), thousandthsOf(to)]
    if (from === undefined || first === undefined || last === undefined) return // begins at 0, or the shape is wrong
    if (first >= last) add("This share is empty. Make `from` less than `to`.", from)
    else if (first > 0 && seed === undefined && "condition" in file)
      add(
        "In a segment, this share needs a `seed`, such as the segment's name. Without one, each flag that uses the segment picks different users.",
        from,
      )
  }
  for (const part of conditionsIn(file)) if (part.kind === "share") check(part)
}
