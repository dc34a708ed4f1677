import type { Json } from "../../sdk/contract/snapshot.ts"
import { phrase } from "../diagnostics/phrase.ts"
import { sameValue } from "../language/canonical-json.ts"
import { always, type Condition, none } from "../language/condition.ts"
import { isOneOf } from "./form/compare.ts"
import { type Guard, missingPrerequisite, neverMet, type Outcome, type Remark, toValue } from "./form/form.ts"
import type { AddLoss } from "./form/losses.ts"
import { at, isTrue, items, jsonOf, type Node, numberOf, scalarText, textOf, textsOf } from "./form/tree.ts"
import { attributeOf } from "./launchdarkly-clauses.ts"
import { splitOf } from "./shares.ts"
import type { LaunchDarklyFlag, LaunchDarklyScope } from "./sources/launchdarkly.ts"

/** A flag whose rules are translated, and where what is found goes. */
interface Reading {
  readonly flag: LaunchDarklyFlag
  readonly scope: LaunchDarklyScope
  readonly environment: string
  readonly remarks: Remark[]
  readonly addLoss: AddLoss
  /** The outcome for a variation's position; `undefined`: the caller's default. */
  readonly give: (index: Node | undefined, node: Node) => Outcome
}

/** A flag that is off does not meet a prerequisite, whatever it returns. */
export function prerequisite(reading: Reading, node: Node, off: Outcome): Guard {
  const { scope, environment, remarks, addLoss } = reading
  const { key } = reading.flag
  const name = textOf(at(node, "key")) ?? ""
  const parent = scope.flags.get(name)
  const values = parent?.variations.map(jsonOf) ?? []
  const wanted = values[numberOf(at(node, "variation")) ?? -1]
  const same = values.filter((value) => sameValue(value, wanted))
  if (parent === undefined) addLoss("import-prerequisite-missing", node, missingPrerequisite(name))
  else if (same.length > 1)
    addLoss("import-prerequisite", node, phrase`another variation of ${name} has the same value`)
  const offValue = values[numberOf(at(parent?.config, "offVariation")) ?? -1]
  const isOff = !isTrue(at(parent?.config, "on")) && (offValue === undefined || sameValue(offValue, wanted))
  if (wanted !== undefined && !isOff) {
    const use = (is: Json): Condition => ({ kind: "flag", key: name, environment, is, means: undefined })
    // Two flags later, a group around each would be too deep.
    return { when: typeof wanted === "boolean" ? use(!wanted) : none(use(wanted)), gives: off, node }
  }
  if (parent !== undefined) remarks.push(neverMet(node, key, name, environment))
  return { when: always, gives: off, node }
}

/** The rules for users who are targeted. */
export function targets({ flag, environment, remarks, give }: Reading): readonly Guard[] {
  const seen = new Set<string>()
  return flag.targets.map((node): Guard => {
    const values = textsOf(at(node, "values"))
    const text = "a user is targeted twice, and the first target counts"
    for (const value of values)
      if (seen.size === seen.add(value).size)
        remarks.push({ node, flag: flag.key, environment, text, detail: phrase`${value}` })
    return { when: isOneOf("key", values), gives: give(at(node, "variation"), node), node }
  })
}

/** A variation, or shares; contexts without the attribute get the first one. */
export function given(reading: Reading, when: Condition, node: Node): readonly Guard[] {
  const { environment, remarks, addLoss, give } = reading
  const { key } = reading.flag
  const rollout = at(node, "rollout")
  if (at(node, "variation") !== undefined || rollout === undefined)
    return [{ when, gives: give(at(node, "variation") ?? node, node), node }]
  const shares = items(at(rollout, "variations"))
  const weights = shares.map((one) => numberOf(at(one, "weight")) ?? 0)
  const sum = weights.reduce((sum, weight) => sum + weight, 0)
  if (shares.length === 0) addLoss("import-malformed", rollout, phrase`a rollout without variations`)
  if (sum > 100_000) addLoss("import-malformed", rollout, phrase`weights of more than 100 %`)
  const text = "weights add up to less than 100 %, and the last variation gets the rest"
  if (sum < 100_000)
    remarks.push({ node: rollout, flag: key, environment, text, detail: phrase`${sum / 1000} %` })
  const weighted = shares.map((one, index) => ({
    weight: (weights[index] ?? 0) + (index === shares.length - 1 ? 100_000 - sum : 0),
    gives: give(at(one, "variation"), one),
  }))
  const bucketBy = textOf(at(rollout, "kind")) === "experiment" ? undefined : at(rollout, "bucketBy")
  const by = bucketBy === undefined ? "key" : attributeOf(bucketBy, at(rollout, "contextKind"), addLoss)
  const gives = splitOf(by, scalarText(at(rollout, "seed")), weighted)
  if (gives.kind !== "split") return [{ when, gives, node }]
  addLoss("import-share-rebucketed", rollout, phrase`shares by ${by}`)
  const first = toValue(gives.into[0]?.value ?? null)
  return [{ when, gives, node }, ...(by === "key" ? [] : [{ when, gives: first, node, isImplied: true }])]
}
