import { phrase } from "../diagnostics/phrase.ts"
import { all, type Condition, isPresent, none } from "../language/condition.ts"
import type { Guard, Outcome } from "./form/form.ts"
import { operationOf, variableOf } from "./form/json-logic.ts"
import type { AddLoss } from "./form/losses.ts"
import { at, items, membersOf, type Node, numberOf, scalarText } from "./form/tree.ts"
import { noSeed, saltOf } from "./meaning/flagd.ts"
import { firstShare, splitOf } from "./shares.ts"

/** A flag whose `targeting` is translated. */
interface Targeted {
  readonly key: string
  readonly evaluators: Node | undefined
  /** The outcome for a variant's name; `undefined` stands for null. */
  readonly give: (name: string | undefined, from: Node) => Outcome
  readonly condition: (logic: Node) => Condition
  readonly addLoss: AddLoss
}

/** The rules of flagd's `targeting` for the users whom a condition matches; no rules if there is none. */
export function targeting(flag: Targeted, node: Node | undefined, when: Condition): readonly Guard[] {
  if (node === undefined || membersOf(node)?.length === 0) return []
  const operation = operationOf(node)
  if (operation === undefined && typeof node.value === "object" && node.value !== null)
    flag.addLoss("import-malformed", node, notLogic)
  if (operation === undefined)
    return [{ when, gives: flag.give(scalarText(node.value === null ? undefined : node), node), node }]
  const [operator, operands] = operation
  if (operator === "if" || operator === "?:") return chain(flag, operands, node, when)
  if (operator === "fractional") return fractional(flag, operands, node, when)
  const ref = operator === "$ref" ? at(flag.evaluators, scalarText(operands[0]) ?? "") : undefined
  if (ref !== undefined && /^(?:if|fractional)$/.test(operationOf(ref)?.[0] ?? ""))
    return targeting(flag, ref, when)
  if (/^(?:var|cat)$/.test(operator)) {
    flag.addLoss("import-logic", node, phrase`a calculated variant name`)
    return []
  }
  // Any other operation gives true or false, which are names of variants. These two give null if there is no text.
  const [asked, [attribute] = []] = operationOf(ref ?? node) ?? []
  const name = /^(?:starts|ends)_with$/.test(asked ?? "") && attribute && variableOf(attribute)
  const without: readonly Guard[] = name
    ? [{ when: all(when, none(isPresent(name))), gives: flag.give(undefined, node), node, isImplied: true }]
    : []
  return [
    { when: all(when, flag.condition(node)), gives: flag.give("true", node), node },
    ...without,
    { when, gives: flag.give("false", node), node, isImplied: true },
  ]
}

function chain(flag: Targeted, operands: readonly Node[], node: Node, when: Condition): readonly Guard[] {
  if (operands.length < 2)
    flag.addLoss("import-malformed", node, phrase`${"if"} without a list of a condition and a variant`)
  const guards: Guard[] = []
  for (let at = 0; at + 1 < operands.length; at += 2) {
    const [asked, then] = [operands[at], operands[at + 1]]
    if (asked && then) guards.push(...targeting(flag, then, all(when, flag.condition(asked))))
  }
  const last = operands.length % 2 === 1 ? operands.at(-1) : undefined
  const rest = last ? targeting(flag, last, when) : [{ when, gives: flag.give(undefined, node), node }]
  return [...guards, ...rest.map((guard) => ({ ...guard, isImplied: true }))]
}

function fractional(
  flag: Targeted,
  operands: readonly Node[],
  node: Node,
  when: Condition,
): readonly Guard[] {
  const [first, ...named] = operands
  const isNamed = first !== undefined && !Array.isArray(first.value)
  const { by, seed } = isNamed
    ? bucketingOf(first, flag.key, flag.addLoss)
    : { by: "targetingKey", seed: undefined }
  const weighted = (isNamed ? named : operands).map((share) => {
    const [variant, weight] = items(share)
    if (weight !== undefined && typeof weight.value === "object")
      flag.addLoss("import-logic", weight, phrase`a calculated weight`)
    return {
      gives: flag.give(scalarText(variant), share),
      weight: weight === undefined ? 1 : Math.max(0, numberOf(weight) ?? 0),
    }
  })
  const gives = splitOf(by, seed, weighted)
  const rest = { when, gives: flag.give(undefined, node), node, isImplied: true }
  if (gives.kind === "caller") return [rest]
  // Contexts without a string to hash get the rest.
  const hashed = firstShare(by, 100, undefined)
  if (gives.kind === "value") return [{ when: all(when, hashed), gives, node }, rest]
  flag.addLoss("import-share-rebucketed", node, phrase`shares by ${by}`)
  const spare = { ...gives, by: "targetingKey", seed: undefined }
  const isSpared = by !== "targetingKey" && variableOf(first ?? node) !== undefined
  const others = { when: all(when, none(isPresent(by))), gives: spare, node, isImplied: true }
  return [{ when, gives, node }, ...(isSpared ? [others] : []), rest]
}

const notLogic = phrase`not JsonLogic, which is an object with one operation, such as ${"if"} with a list`

/** What is hashed: one attribute, with the flag's key or another string before it. */
function bucketingOf(node: Node, key: string, addLoss: AddLoss) {
  const parts = operationOf(node)?.[0] === "cat" ? (operationOf(node)?.[1] ?? []) : [node]
  const names = parts.flatMap((part) => variableOf(part) ?? [])
  const own = names.filter((name) => name !== "$flagd.flagKey")
  const [by = "targetingKey", another] = own
  if (another !== undefined || own.length === 0)
    addLoss("import-bucketing", node, phrase`shares by something other than one attribute`)
  if (by.includes(".")) addLoss("import-attribute-path", node, phrase`the path ${by}`)
  const salt = saltOf(node, key)
  return { by, seed: salt === key ? undefined : salt || noSeed }
}
