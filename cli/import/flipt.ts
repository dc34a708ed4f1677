import { crc32 } from "node:zlib"
import { decimalGrammar } from "../../sdk/evaluation/decimal.ts"
import type { OperatorName } from "../../sdk/evaluation/operators.ts"
import { phrase } from "../diagnostics/phrase.ts"
import { all, always, any, type Condition, isAlways, never, none } from "../language/condition.ts"
import { compare, compareOrder, isOneOf, matches } from "./form/compare.ts"
import {
  type Configuration,
  type Found,
  type Guard,
  type Imported,
  type Outcome,
  type Remark,
  toCaller,
  toValue,
} from "./form/form.ts"
import { gather } from "./form/gather.ts"
import { type AddLoss, collectLosses } from "./form/losses.ts"
import { table } from "./form/table.ts"
import type { Tool } from "./form/tool.ts"
import { at, isTrue, items, type Node, scalarText, textOf } from "./form/tree.ts"
import { fliptMeaning } from "./meaning/flipt.ts"
import { createSegmentUses, type SegmentUses } from "./segment-uses.ts"
import { firstShare, remarkOnSum, splitOf } from "./shares.ts"
import {
  constraintsOf,
  defaultVariant,
  distributionsOf,
  type FliptConstraint,
  type FliptFlag,
  hasAttachment,
  listOf,
  momentIn,
  namespacesOf,
  numberIn,
  segmentsOf,
  variantsOf,
  variantValue,
} from "./sources/flipt.ts"

/** `features.yaml` 1.0 to 1.6, and the state that SDKs get. Meaning: flipt-io/flipt f1905b6, evaluation.go. */
export const flipt: Tool = {
  title: "Flipt",
  newest: "1.6",
  contexts: "texts",
  comparesItems: false,
  required: ["entityId"],
  recognizes: (root) =>
    items(at(root, "flags")).some((flag) => at(flag, "key") && own.some((name) => at(flag, name))) ||
    scalarText(at(root, "namespace", "key") ?? at(root, "namespace")) !== undefined,
  read,
  hash: (seed, text) => (crc32(`${seed}${text}`) % 1000) / 1000,
}

/** Members of which a flag of Flipt has at least one. */
const own = ["type", "enabled", "variants", "rules", "rollouts"]

function read(documents: readonly Node[]): Imported {
  const remarks: Remark[] = []
  const read = namespacesOf(documents).map(({ namespace, environment, segments, flags }) => {
    const find = (key: string) => {
      const node = segments.get(key)
      if (node === undefined) return undefined
      const name = namespace === "default" ? key : `${namespace}-${key}`
      const condition = (addLoss: AddLoss) => segmentCondition(node, addLoss)
      return { name, description: textOf(at(node, "description")), condition }
    }
    const uses = createSegmentUses(environment, find)
    const found = flags.map((flag): Found => {
      const { key, node } = flag
      const about = () => ({
        name: textOf(at(node, "name")),
        description: textOf(at(node, "description")),
        variations: [...variantsOf(node).keys()].map(
          (name) => [name, variantValue(flag, name) ?? name] as const,
        ),
      })
      return { key, about, configuration: configurationOf(flag, environment, uses, remarks) }
    })
    const attached = flags
      .filter(({ node }) => hasAttachment(node))
      .map(({ key, node }) => ({ node, flag: key, text: asObjects }))
    return { found, segments: uses.segments, attached }
  })
  return { ...gather(read), remarks: [...remarks, ...read.flatMap(({ attached }) => attached)] }
}

const asObjects =
  "some variants have an attachment, so the value of each is an object with `variant` and `attachment`"

function configurationOf(
  flag: FliptFlag,
  environment: string,
  uses: SegmentUses,
  remarks: Remark[],
): Configuration {
  const { node, isBoolean } = flag
  const { losses, addLoss } = collectLosses()

  const whom = (rule: Node): Condition => {
    const { keys, isAll } = segmentsOf(rule)
    return (isAll ? all : any)(...keys.map((key) => uses.use(key, rule, addLoss)))
  }
  const give = (key: string | undefined, place: Node): Outcome => {
    if (key === undefined) return toCaller
    const value = variantValue(flag, key)
    if (value !== undefined) return toValue(value)
    addLoss("import-malformed", place, phrase`the flag has no variant ${key}`)
    return toCaller
  }
  const rolloutGuard = (rollout: Node): Guard => {
    const threshold = at(rollout, "threshold")
    const gives = toValue(isTrue(at(threshold ?? at(rollout, "segment"), "value")))
    if (threshold === undefined) return { when: whom(rollout), gives, node: rollout }
    // The hash has 100 buckets: 12.5 % takes 13 of them.
    const given = Number(scalarText(at(threshold, "percentage")) ?? 0)
    const percent = Math.ceil(given)
    if (percent !== given)
      remarks.push({
        ...{ node: rollout, flag: flag.key, environment },
        text: "a percentage with a fraction is rounded up, because Flipt has 100 buckets",
        detail: phrase`${given} % is ${percent} %`,
      })
    if (percent >= 100 || percent <= 0) return { when: percent > 0 ? always : never, gives, node: rollout }
    addLoss("import-share-rebucketed", rollout, phrase`a share by ${"entityId"}`)
    return { when: firstShare("entityId", percent, undefined), gives, node: rollout }
  }
  const ruleGuard = (rule: Node): Guard => {
    const shares = distributionsOf(rule)
    const weighted = shares.map(({ variant, rollout }) => ({ weight: rollout, gives: give(variant, rule) }))
    const asWhere = ", as in Flipt 2; Flipt 1 gives the other entities the default variant or none"
    remarks.push(...remarkOnSum(rule, flag.key, environment, weighted, asWhere))
    const gives =
      shares.length === 0 ? give(defaultVariant(node), rule) : splitOf("entityId", undefined, weighted, 1)
    if (gives.kind === "split") addLoss("import-share-rebucketed", rule, phrase`shares by ${"entityId"}`)
    return { when: whom(rule), gives, node: rule }
  }

  const isEnabled = isTrue(at(node, "enabled"))
  const base = { environment, node, meaning: fliptMeaning(flag), losses }
  if (isBoolean) {
    const guards = items(at(node, "rollouts")).map(rolloutGuard)
    return { ...base, enabled: true, guards, otherwise: toValue(isEnabled), off: undefined }
  }
  const guards = items(at(node, "rules")).map(ruleGuard)
  const otherwise = give(defaultVariant(node), node)
  const last = guards.at(-1)
  const isOpen = otherwise.kind === "caller" && !(isEnabled && last !== undefined && isAlways(last.when))
  if (isOpen || guards.some(({ gives }) => gives.kind === "caller"))
    addLoss("import-caller-default", node, phrase`it has no default variant`)
  return { ...base, enabled: isEnabled, guards, otherwise, off: otherwise }
}

function segmentCondition(node: Node, addLoss: AddLoss): Condition {
  const { constraints, isAny } = constraintsOf(node)
  if (constraints.length === 0) return always
  return (isAny ? any : all)(...constraints.map((one) => constraintCondition(one, addLoss)))
}

const onTexts = table<OperatorName>({
  ...{ eq: "equals", isoneof: "equals", prefix: "startsWith", suffix: "endsWith", contains: "contains" },
})
const opposites = table<string>({
  ...{ neq: "eq", notcontains: "contains", isnotoneof: "isoneof" },
})

const mistakable = phrase`the context's property ${"entityId"}, which Flipt does not match if it is not sent beside the entity's id; here, that id has this name`

/** A missing or empty attribute matches only `empty` and `notpresent`. */
function constraintCondition(constraint: FliptConstraint, addLoss: AddLoss): Condition {
  const { node, attribute, type, operator, operand } = constraint
  if (constraint.isMistakable) addLoss("import-context-missing", node, mistakable)
  const filled = matches(attribute, "\\S")
  if (operator === "empty" || operator === "notpresent") return none(filled)
  if (operator === "notempty" || operator === "present") return filled
  const opposite = opposites[operator]
  const found = compareOperand(constraint, opposite ?? operator)
  if (found === undefined) addLoss("import-operand", node, phrase`${attribute} ${operator} ${operand}`)
  if (found === undefined || opposite === undefined) return found ?? never
  // A value that is not a number or a moment does not match the negated operator either.
  const readable = {
    text: filled,
    boolean: filled,
    number: matches(attribute, decimalGrammar.source),
    moment: any(
      compareOrder(attribute, "moment", "lt", ["2000-01-01"]),
      compareOrder(attribute, "moment", "gt", ["1999-01-01"]),
    ),
  }
  return all(readable[type], none(found))
}

/** `undefined` if the operand cannot be read. */
function compareOperand(
  { attribute, type, operand }: FliptConstraint,
  operator: string,
): Condition | undefined {
  if (type === "boolean") return truths[operator] && isOneOf(attribute, truths[operator])
  const operands = operator === "isoneof" ? listOf(operand) : [operand]
  if (type === "text") {
    const ours = onTexts[operator]
    return ours && operands ? compare(attribute, ours, operands) : undefined
  }
  const order = operator === "isoneof" ? "eq" : orders.find((one) => one === operator)
  const texts = operands?.flatMap((one) => {
    const value = type === "number" ? numberIn(one) : momentIn(one)
    if (!Number.isFinite(value)) return []
    return type === "number" ? String(value) : new Date(value).toISOString()
  })
  if (order === undefined || texts === undefined || texts.length < (operands?.length ?? 0)) return undefined
  return compareOrder(attribute, type, order, texts)
}

/** As in Go's strconv.ParseBool. */
const truths = table<readonly string[]>({
  true: ["true", "1", "t", "T", "TRUE", "True"],
  false: ["false", "0", "f", "F", "FALSE", "False"],
})

const orders = ["eq", "lt", "lte", "gt", "gte"] as const
