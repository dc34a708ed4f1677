import { phrase } from "../diagnostics/phrase.ts"
import { always } from "../language/condition.ts"
import { targeting } from "./flagd-targeting.ts"
import {
  type Configuration,
  type Found,
  type Imported,
  type Outcome,
  toCaller,
  toValue,
} from "./form/form.ts"
import { gather } from "./form/gather.ts"
import { type LogicScope, logicCondition } from "./form/json-logic.ts"
import { type AddLoss, collectLosses } from "./form/losses.ts"
import { aboutMetadata, environmentOf, type Tool } from "./form/tool.ts"
import { at, jsonOf, members, type Node, scalarText, textOf } from "./form/tree.ts"
import { flagdMeaning } from "./meaning/flagd.ts"
import { murmur3 } from "./meaning/hashes.ts"
import { createSegmentUses } from "./segment-uses.ts"

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
  return { ...gather(readers), remarks: [] }
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
      const end = name === undefined ? ", so flagd refuses the whole file" : ""
      addLoss("import-malformed", from, [...phrase`the flag has no variant ${variant}`, end])
      return toCaller
    }

    const otherwise = give(undefined, node)
    const targeted = { key, evaluators, give, addLoss, condition: (one: Node) => condition(one, addLoss) }
    const guards = targeting(targeted, at(node, "targeting"), always)
    const isDisabled = textOf(at(node, "state")) === "DISABLED"
    const gives = [...guards.map((one) => one.gives), otherwise]
    const what = isDisabled
      ? phrase`when disabled, it returns the caller's default`
      : phrase`it has no ${"defaultVariant"}`
    if (isDisabled || (usual === undefined && gives.some(({ kind }) => kind === "caller")))
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
