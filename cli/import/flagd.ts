import { all, always, type Condition, exists, none } from "./form/condition.ts"
import {
  type Configuration,
  type Found,
  type Guard,
  groupFlags,
  type Imported,
  type Outcome,
  toCaller,
  toValue,
} from "./form/form.ts"
import { createLogic, operationOf, variableOf } from "./form/json-logic.ts"
import { collectLosses, type Lose } from "./form/losses.ts"
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
import { flagdMeaning, noSeed } from "./meaning/flagd.ts"
import { murmur3 } from "./meaning/hashes.ts"
import { createSegmentUses } from "./segment-uses.ts"
import { splitOf } from "./shares.ts"

/** Files and custom resources of flagd. Meaning: open-feature/flagd bbb05d4, core/pkg/evaluator. */
export const flagd: Tool = {
  title: "flagd",
  contexts: "any",
  required: [],
  recognizes: (root) =>
    members(at(rootOf(root), "flags")).some(([, flag]) => at(flag, "defaultVariant") ?? at(flag, "state")),
  read,
  hash: (seed, text) => murmur3(`${seed}${text}`) / 2 ** 32,
}

function rootOf(document: Node): Node {
  return at(document, "spec", "flagSpec") ?? at(document, "spec") ?? document
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
    return node && { name, description: undefined, condition: (lose: Lose) => condition(node, lose) }
  }
  const uses = createSegmentUses(environment, find)
  const condition = createLogic({
    attributeOf(name, node, lose) {
      if (name.startsWith("$flagd.")) lose("import-schedule", node, `\`${name}\``)
      else if (name.includes(".")) lose("import-attribute-path", node, `the path \`${name}\``)
      else return name
      return undefined
    },
    named: uses.use,
  })

  function configuration(key: string, node: Node): Configuration {
    const { losses, lose } = collectLosses()
    const usual = scalarText(at(node, "defaultVariant"))
    const give = (name: string | undefined, from: Node): Outcome => {
      if (name === undefined) return toCaller
      const value = at(node, "variants", name)
      if (value !== undefined) return toValue(jsonOf(value))
      lose("import-malformed", from, `the variant \`${name}\`, which the flag does not have`)
      return toCaller
    }
    const otherwise = give(usual, node)
    const guards = targeting(
      at(node, "targeting"),
      always,
      (name, from) => give(name ?? usual, from),
      key,
      lose,
    )
    const isDisabled = textOf(at(node, "state")) === "DISABLED"
    const gives = [...guards.map((one) => one.gives), otherwise]
    if (isDisabled || gives.some(({ kind }) => kind === "caller"))
      lose(
        "import-caller-default",
        node,
        isDisabled ? "when disabled, it returns the caller's default" : "it has no `defaultVariant`",
      )
    return {
      ...{ environment, node, enabled: !isDisabled, meaning: flagdMeaning(key, node, evaluators), losses },
      guards: [...guards, { when: always, gives: otherwise, node, isImplied: true }],
      ...{ otherwise: toCaller, off: undefined },
    }
  }

  /** `give` gives the outcome of a variant's name; of `undefined` that of null. */
  function targeting(
    node: Node | undefined,
    when: Condition,
    give: (name: string | undefined, from: Node) => Outcome,
    key: string,
    lose: Lose,
  ): readonly Guard[] {
    if (node === undefined || membersOf(node)?.length === 0) return []
    const operation = operationOf(node)
    if (operation === undefined && typeof node.value === "object" && node.value !== null)
      lose(
        "import-malformed",
        node,
        "not JsonLogic, which is an object with one operation, such as `if` with a list",
      )
    if (operation === undefined)
      return [{ when, gives: give(scalarText(node.value === null ? undefined : node), node), node }]
    const [operator, operands] = operation
    if (operator === "if" || operator === "?:") {
      if (operands.length < 2)
        lose("import-malformed", node, "`if` without a list of a condition and a variant")
      const guards: Guard[] = []
      for (let at = 0; at + 1 < operands.length; at += 2) {
        const [asked, then] = [operands[at], operands[at + 1]]
        if (asked && then) guards.push(...targeting(then, all(when, condition(asked, lose)), give, key, lose))
      }
      const last = operands.length % 2 === 1 ? operands.at(-1) : undefined
      const rest =
        last === undefined
          ? [{ when, gives: give(undefined, node), node }]
          : targeting(last, when, give, key, lose)
      return [...guards, ...rest.map((guard) => ({ ...guard, isImplied: true }))]
    }
    if (operator === "fractional") return fractional(operands, node, when, give, key, lose)
    const ref = operator === "$ref" ? at(evaluators, scalarText(operands[0]) ?? "") : undefined
    if (ref !== undefined && /^(?:if|fractional)$/.test(operationOf(ref)?.[0] ?? ""))
      return targeting(ref, when, give, key, lose)
    if (/^(?:var|cat)$/.test(operator)) {
      lose("import-logic", node, "a variant whose name is calculated")
      return []
    }
    // Any other operation gives true or false, which are names of variants.
    return [
      { when: all(when, condition(node, lose)), gives: give("true", node), node },
      { when, gives: give("false", node), node, isImplied: true },
    ]
  }

  function fractional(
    operands: readonly Node[],
    node: Node,
    when: Condition,
    give: (name: string | undefined, from: Node) => Outcome,
    key: string,
    lose: Lose,
  ): readonly Guard[] {
    const [first, ...named] = operands
    const isNamed = first !== undefined && !Array.isArray(first.value)
    const bucketing = isNamed ? bucketingOf(first, key, lose) : { by: "targetingKey", seed: undefined }
    const { by } = bucketing
    const weighted = (isNamed ? named : operands).map((share) => {
      const [variant, weight] = items(share)
      return {
        gives: give(scalarText(variant), share),
        weight: weight === undefined ? 1 : Math.max(0, numberOf(weight) ?? 0),
      }
    })
    const gives = splitOf(by, bucketing.seed, weighted)
    const rest = { when, gives: give(undefined, node), node, isImplied: true }
    if (gives.kind === "caller") return [rest]
    // Contexts without a text to hash get the rest.
    const some: Condition = { kind: "share", by, to: 100, seed: undefined }
    if (gives.kind === "value") return [{ when: all(when, some), gives, node }, rest]
    lose("import-share-redealt", node, `shares by \`${by}\``)
    const spare = { ...gives, by: "targetingKey", seed: undefined }
    const isSpared = by !== "targetingKey" && variableOf(first ?? node) !== undefined
    const others = isSpared
      ? [{ when: all(when, none(exists(by))), gives: spare, node, isImplied: true }]
      : []
    return [{ when, gives, node }, ...others, rest]
  }

  function bucketingOf(
    node: Node,
    key: string,
    lose: Lose,
  ): { readonly by: string; readonly seed: string | undefined } {
    const parts = operationOf(node)?.[0] === "cat" ? (operationOf(node)?.[1] ?? []) : [node]
    const names = parts.flatMap((part) => variableOf(part) ?? [])
    const own = names.filter((name) => name !== "$flagd.flagKey")
    const [by = "targetingKey", another] = own
    if (another !== undefined || own.length === 0)
      lose("import-bucketing", node, "shares by something other than one attribute")
    if (by.includes(".")) lose("import-attribute-path", node, `the path \`${by}\``)
    const salt = parts
      .flatMap((part) => textOf(part) ?? (variableOf(part) === "$flagd.flagKey" ? key : []))
      .join("")
    return { by, seed: salt === key ? undefined : salt || noSeed }
  }

  const found = members(at(root, "flags")).map(([key, node]): Found => {
    const variations = () => members(at(node, "variants")).map(([name, one]) => [name, jsonOf(one)] as const)
    return {
      key,
      configuration: configuration(key, node),
      about: () => ({ ...aboutMetadata(node), variations: variations() }),
    }
  })
  return { found, segments: uses.segments }
}
