import { crc32 } from "node:zlib"
import {
  all,
  always,
  any,
  type Condition,
  type Configuration,
  compare,
  type Guard,
  type Imported,
  isNever,
  never,
  none,
  type Outcome,
  type Remark,
  toCaller,
  toValue,
} from "./form/form.ts"
import { collectLosses, type Lose } from "./form/losses.ts"
import type { Tool } from "./form/tool.ts"
import { at, isTrue, items, type Node, scalarText, textOf } from "./form/tree.ts"
import { fliptMeaning } from "./meaning/flipt.ts"
import { createSegmentUses, type SegmentUses } from "./segment-uses.ts"
import { sharesOf } from "./shares.ts"
import {
  defaultVariant,
  distributionsOf,
  type FliptFlag,
  flagsIn,
  segmentsOf,
  variantValue,
} from "./sources/flipt.ts"

/** `features.yaml` 1.0 to 1.6, and the state that SDKs get. Meaning: flipt-io/flipt f1905b6, evaluation.go. */
export const flipt: Tool = {
  title: "Flipt",
  contexts: "texts",
  required: ["entityId"],
  recognizes: (root) =>
    items(at(root, "flags")).some((flag) => at(flag, "key")) ||
    (at(root, "version") !== undefined && at(root, "namespace") !== undefined),
  read,
  hash: (seed, text) => (crc32(`${seed}${text}`) % 1000) / 1000,
}

function read(documents: readonly Node[]): Imported {
  const remarks: Remark[] = []
  const found = documents.flatMap((root) => {
    const flags = flagsIn(root)
    const segments = flags[0]?.segments
    const namespace = flags[0]?.key.slice(0, -(flags[0]?.ownKey.length ?? 0)).replace("/", "-") ?? ""
    const find = (key: string) => {
      const node = segments?.get(key)
      return (
        node && {
          name: `${namespace}${key}`,
          description: textOf(at(node, "description")),
          condition: (lose: Lose) => segmentCondition(node, lose),
        }
      )
    }
    const uses = createSegmentUses(flags[0]?.environment ?? "production", find, remarks)
    return flags.map((flag) => ({ flag, uses, configuration: configurationOf(flag, uses, remarks) }))
  })
  const flags = [...Map.groupBy(found, ({ flag }) => flag.key)].map(([key, own]) => {
    const node = own[0]?.flag.node
    const variants = items(at(node, "variants")).map((one) => scalarText(at(one, "key")) ?? "")
    return {
      key,
      name: textOf(at(node, "name")),
      description: textOf(at(node, "description")),
      tags: [],
      owner: undefined,
      variations: variants.map((name) => [name, (node && variantValue(node, name)) ?? name] as const),
      configurations: own.map(({ configuration }) => configuration),
    }
  })
  return {
    flags,
    segments: [...new Set(found.map(({ uses }) => uses))].flatMap(({ segments }) => segments),
    remarks,
  }
}

function configurationOf(flag: FliptFlag, uses: SegmentUses, remarks: Remark[]): Configuration {
  const { node, environment, isBoolean } = flag
  const { losses, lose } = collectLosses()
  const isEnabled = isTrue(at(node, "enabled"))
  const base = { environment, node, meaning: fliptMeaning(flag), off: undefined, losses }
  const rules = items(at(node, isBoolean ? "rollouts" : "rules")).flatMap((rule): readonly Guard[] => {
    const guards = isBoolean ? rolloutGuards(rule, uses, lose) : ruleGuards(rule, flag, uses, lose)
    const own = guards.filter(({ when }) => !isNever(when))
    if (own.length < guards.length)
      remarks.push({ node: rule, text: `a rule of \`${flag.key}\` matches nobody, and is left out` })
    return own
  })
  if (isBoolean) return { ...base, enabled: true, guards: rules, otherwise: toValue(isEnabled) }
  const otherwise = variantOutcome(flag, defaultVariant(node), node, lose)
  const isOpen = otherwise.kind === "caller" && !(isEnabled && rules.at(-1)?.when.kind === "always")
  if (isOpen || rules.some(({ gives }) => gives.kind === "caller"))
    lose("import-caller-default", node, "no variant is the default one")
  return { ...base, enabled: isEnabled, guards: rules, otherwise }
}

function whom(rule: Node, uses: SegmentUses, lose: Lose): Condition {
  const { keys, isAll } = segmentsOf(rule)
  const some = keys.map((key) => uses.use(key, rule, lose))
  return isAll ? all(...some) : any(...some)
}

function rolloutGuards(rollout: Node, uses: SegmentUses, lose: Lose): readonly Guard[] {
  const threshold = at(rollout, "threshold")
  const gives = toValue(isTrue(at(threshold ?? at(rollout, "segment"), "value")))
  if (threshold === undefined) return [{ when: whom(rollout, uses, lose), gives, node: rollout }]
  // A hash of 100 buckets: 12.5 % are 13 of them.
  const percent = Math.ceil(Number(scalarText(at(threshold, "percentage")) ?? 0))
  if (percent >= 100 || percent <= 0) return [{ when: percent > 0 ? always : never, gives, node: rollout }]
  lose("import-share-redealt", rollout, "a share by `entityId`")
  return [{ when: { kind: "share", by: "entityId", to: percent, seed: undefined }, gives, node: rollout }]
}

function ruleGuards(rule: Node, flag: FliptFlag, uses: SegmentUses, lose: Lose): readonly Guard[] {
  const when = whom(rule, uses, lose)
  const shares = distributionsOf(rule)
  const [only, another] = shares
  if (only === undefined)
    return [{ when, gives: variantOutcome(flag, defaultVariant(flag.node), rule, lose), node: rule }]
  if (another === undefined)
    return [{ when, gives: variantOutcome(flag, only.variant, rule, lose), node: rule }]
  lose("import-share-redealt", rule, "shares by `entityId`")
  const percents = sharesOf(
    shares.map(({ rollout }) => rollout),
    1,
  )
  const into = shares.flatMap(({ variant }, index) => {
    const outcome = variantOutcome(flag, variant, rule, lose)
    return outcome.kind === "value" && (percents[index] ?? 0) > 0
      ? [{ share: percents[index] ?? 0, value: outcome.value }]
      : []
  })
  return [{ when, gives: { kind: "split", by: "entityId", seed: undefined, into }, node: rule }]
}

function variantOutcome({ node }: FliptFlag, key: string | undefined, place: Node, lose: Lose): Outcome {
  if (key === undefined) return toCaller
  const value = variantValue(node, key)
  if (value !== undefined) return toValue(value)
  lose("import-malformed", place, `the variant \`${key}\` that the flag does not have`)
  return toCaller
}

function segmentCondition(node: Node, lose: Lose): Condition {
  const constraints = items(at(node, "constraints"))
  if (constraints.length === 0) return always
  const isAny = textOf(at(node, "match_type") ?? at(node, "matchType"))?.startsWith("ANY") === true
  return (isAny ? any : all)(...constraints.map((one) => constraintCondition(one, lose)))
}

const onTexts: Readonly<Record<string, string>> = {
  eq: "equals",
  prefix: "startsWith",
  suffix: "endsWith",
  contains: "contains",
  isoneof: "equals",
}
const opposites: Readonly<Record<string, string>> = {
  neq: "eq",
  notcontains: "contains",
  isnotoneof: "isoneof",
}
const onNumbers: Readonly<Record<string, readonly string[]>> = {
  eq: ["greaterThanOrEquals", "lessThanOrEquals"],
  ...{ lt: ["lessThan"], lte: ["lessThanOrEquals"], gt: ["greaterThan"], gte: ["greaterThanOrEquals"] },
}

/** A missing or empty attribute meets nothing but `empty` and `notpresent`. */
function constraintCondition(node: Node, lose: Lose): Condition {
  const type = textOf(at(node, "type")) ?? ""
  const operator = textOf(at(node, "operator")) ?? ""
  const operand = scalarText(at(node, "value")) ?? ""
  const attribute = type.startsWith("ENTITY") ? "entityId" : (textOf(at(node, "property")) ?? "")
  const filled = compare(attribute, "matches", ["\\S"])
  if (operator === "empty" || operator === "notpresent") return none(filled)
  if (operator === "notempty" || operator === "present") return filled
  const positive = opposites[operator]
  const found = compareOperand(attribute, type, positive ?? operator, operand)
  if (found === undefined)
    lose("import-operand", node, `\`${operator}\` of \`${attribute}\` with \`${operand}\``)
  if (found === undefined || positive === undefined) return found ?? never
  // What is no number or moment meets no opposite either.
  const known = type.startsWith("NUMBER")
    ? compare(attribute, "matches", ["^-?\\d"])
    : type.startsWith("DATETIME")
      ? any(compare(attribute, "before", ["2000-01-01"]), compare(attribute, "after", ["1999-01-01"]))
      : filled
  return all(known, none(found))
}

function compareOperand(
  attribute: string,
  type: string,
  operator: string,
  operand: string,
): Condition | undefined {
  if (type.startsWith("BOOLEAN"))
    return operator === "true" || operator === "false" ? compare(attribute, "equals", [operator]) : undefined
  const listed = operator === "isoneof" ? listOf(operand) : [operand]
  if (type.startsWith("DATETIME")) {
    const moment = Date.parse(operand)
    if (Number.isNaN(moment)) return undefined
    const at = (ours: string) => compare(attribute, ours, [new Date(moment).toISOString()])
    const moments: Readonly<Record<string, Condition>> = {
      eq: all(at("afterOrEquals"), at("beforeOrEquals")),
      ...{ gt: at("after"), gte: at("afterOrEquals"), lt: at("before"), lte: at("beforeOrEquals") },
    }
    return moments[operator]
  }
  if (!type.startsWith("NUMBER")) {
    const ours = onTexts[operator]
    return ours && listed ? compare(attribute, ours, listed) : undefined
  }
  const ours = onNumbers[operator === "isoneof" ? "eq" : operator]
  if (
    ours === undefined ||
    listed?.every((one) => one.trim() !== "" && Number.isFinite(Number(one))) !== true
  )
    return undefined
  return any(
    ...listed.map((one) => all(...ours.map((name) => compare(attribute, name, [String(Number(one))])))),
  )
}

function listOf(text: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.map(String) : undefined
  } catch {
    return undefined
  }
}
