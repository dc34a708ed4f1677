import { all, always, type Condition, none } from "../language/condition.ts"
import { phrase } from "../phrases/phrase.ts"
import { exists } from "./form/compare.ts"
import {
  type Configuration,
  type Found,
  type Guard,
  type Imported,
  type Outcome,
  toCaller,
  toValue,
} from "./form/form.ts"
import { groupFlags } from "./form/group-flags.ts"
import { type LogicScope, logicCondition, operationOf, variableOf } from "./form/json-logic.ts"
import { type AddLoss, collectLosses } from "./form/losses.ts"
import { aboutMetadata, environmentOf, type Tool } from "./form/tool.ts"
import {
  at,
  items,
  jsonOf,
  members,
  membersOf,
  type Node,
  numberOf,
  scalarText,
  textOf,
} from "./form/tree.ts"
import { flagdMeaning, noSeed, saltOf } from "./meaning/flagd.ts"
import { murmur3 } from "./meaning/hashes.ts"
import { createSegmentUses } from "./segment-uses.ts"
import { firstShare, splitOf } from "./shares.ts"

/** Files and custom resources of flagd. Evaluated as in open-feature/flagd bbb05d4 (core/pkg/evaluator). */
export const flagd: Tool = {
  title: "flagd",
  contexts: "any",
  comparesItems: false,
  required: [],
  recognizes: (root) =>
    members(at(rootOf(root), "flags")).some(([, flag]) => at(flag, "defaultVariant") ?? at(flag, "state")),
  read,
  hash: (seed, text) => murmur3(`${seed}${text}`) / 2 ** 32,
}

function rootOf(document: Node): Node {
  const spec = at(document, "spec")
  return at(spec, "flagSpec") ?? at(spec, "featureFlagSpec") ?? spec ?? document
}

function read(documents: readonly Node[]): Imported {
  const readers = documents.map((root) => createReader(rootOf(root), environmentOf(root)))
  return {
    flags: groupFlags(readers.flatMap(({ found }) => found)),
    segments: readers.flatMap(({ segments }) => segments),
    remarks: [],
  }
}

function createReader(root: Node, environment: string) {
  const evaluators = at(root, "$evaluators")
  const find = (name: string) => {
    const node = at(evaluators, name)
    return node && { name, description: undefined, condition: (addLoss: AddLoss) => condition(node, addLoss) }
  }
  const uses = createSegmentUses(environment, find)
  const scope: LogicScope = {
    attributeOf(name, node, addLoss) {
      if (name.startsWith("$flagd.")) addLoss("import-schedule", node, phrase`${name}`)
      else if (name.includes(".")) addLoss("import-attribute-path", node, phrase`the path ${name}`)
      else return name
      return undefined
    },
    named: uses.use,
    isBoolean: () => false,
  }
  const condition = (node: Node, addLoss: AddLoss) => logicCondition(node, scope, addLoss)

  function configuration(key: string, node: Node): Configuration {
    const { losses, addLoss } = collectLosses()
    const usual = scalarText(at(node, "defaultVariant"))
    /** The outcome for a variant's name; `undefined` stands for null. */
    const give = (name: string | undefined, from: Node): Outcome => {
      const variant = name ?? usual
      if (variant === undefined) return toCaller
      const value = at(node, "variants", variant)
      if (value !== undefined) return toValue(jsonOf(value))
      addLoss("import-malformed", from, phrase`the flag has no variant ${variant}`)
      return toCaller
    }

    function targeting(node: Node | undefined, when: Condition): readonly Guard[] {
      if (node === undefined || membersOf(node)?.length === 0) return []
      const operation = operationOf(node)
      if (operation === undefined && typeof node.value === "object" && node.value !== null)
        addLoss("import-malformed", node, notLogic)
      if (operation === undefined)
        return [{ when, gives: give(scalarText(node.value === null ? undefined : node), node), node }]
      const [operator, operands] = operation
      if (operator === "if" || operator === "?:") return chain(operands, node, when)
      if (operator === "fractional") return fractional(operands, node, when)
      const ref = operator === "$ref" ? at(evaluators, scalarText(operands[0]) ?? "") : undefined
      if (ref !== undefined && /^(?:if|fractional)$/.test(operationOf(ref)?.[0] ?? ""))
        return targeting(ref, when)
      if (/^(?:var|cat)$/.test(operator)) {
        addLoss("import-logic", node, phrase`a calculated variant name`)
        return []
      }
      // Any other operation gives true or false, which are names of variants.
      return [
        { when: all(when, condition(node, addLoss)), gives: give("true", node), node },
        { when, gives: give("false", node), node, isImplied: true },
      ]
    }

    function chain(operands: readonly Node[], node: Node, when: Condition): readonly Guard[] {
      if (operands.length < 2)
        addLoss("import-malformed", node, phrase`${"if"} without a list of a condition and a variant`)
      const guards: Guard[] = []
      for (let at = 0; at + 1 < operands.length; at += 2) {
        const [asked, then] = [operands[at], operands[at + 1]]
        if (asked && then) guards.push(...targeting(then, all(when, condition(asked, addLoss))))
      }
      const last = operands.length % 2 === 1 ? operands.at(-1) : undefined
      const rest = last ? targeting(last, when) : [{ when, gives: give(undefined, node), node }]
      return [...guards, ...rest.map((guard) => ({ ...guard, isImplied: true }))]
    }

    function fractional(operands: readonly Node[], node: Node, when: Condition): readonly Guard[] {
      const [first, ...named] = operands
      const isNamed = first !== undefined && !Array.isArray(first.value)
      const { by, seed } = isNamed
        ? bucketingOf(first, key, addLoss)
        : { by: "targetingKey", seed: undefined }
      const weighted = (isNamed ? named : operands).map((share) => {
        const [variant, weight] = items(share)
        if (weight !== undefined && typeof weight.value === "object")
          addLoss("import-logic", weight, phrase`a calculated weight`)
        return {
          gives: give(scalarText(variant), share),
          weight: weight === undefined ? 1 : Math.max(0, numberOf(weight) ?? 0),
        }
      })
      const gives = splitOf(by, seed, weighted)
      const rest = { when, gives: give(undefined, node), node, isImplied: true }
      if (gives.kind === "caller") return [rest]
      // Contexts without a string to hash get the rest.
      const hashed = firstShare(by, 100, undefined)
      if (gives.kind === "value") return [{ when: all(when, hashed), gives, node }, rest]
      addLoss("import-share-redealt", node, phrase`shares by ${by}`)
      const spare = { ...gives, by: "targetingKey", seed: undefined }
      const isSpared = by !== "targetingKey" && variableOf(first ?? node) !== undefined
      const others = { when: all(when, none(exists(by))), gives: spare, node, isImplied: true }
      return [{ when, gives, node }, ...(isSpared ? [others] : []), rest]
    }

    const otherwise = give(undefined, node)
    const guards = targeting(at(node, "targeting"), always)
    const isDisabled = textOf(at(node, "state")) === "DISABLED"
    const gives = [...guards.map((one) => one.gives), otherwise]
    const what = isDisabled
      ? phrase`when disabled, it returns the caller's default`
      : phrase`it has no ${"defaultVariant"}`
    if (isDisabled || gives.some(({ kind }) => kind === "caller"))
      addLoss("import-caller-default", node, what)
    return {
      ...{ environment, node, enabled: !isDisabled, meaning: flagdMeaning(key, node, evaluators), losses },
      guards: [...guards, { when: always, gives: otherwise, node, isImplied: true }],
      ...{ otherwise: toCaller, off: undefined },
    }
  }

  const found = members(at(root, "flags")).map(([key, node]): Found => {
    const variations = () => members(at(node, "variants")).map(([name, one]) => [name, jsonOf(one)] as const)
    const about = () => ({ ...aboutMetadata(node), variations: variations() })
    return { key, about, configuration: configuration(key, node) }
  })
  return { found, segments: uses.segments }
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
