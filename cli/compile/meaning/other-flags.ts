import type { Json } from "../../../proxy/contract/snapshot.ts"
import { type Condition, type GroupKind, isGroupKind } from "../../../sdk/evaluation/condition.ts"
import { isAlways } from "../../../sdk/evaluation/operators.ts"
import type { SourceFile } from "../../diagnostics/diagnostic.ts"
import { always } from "../../language/comparisons.ts"
import { seededBy } from "../../language/condition.ts"
import { createEncode, decode } from "../../language/encode.ts"
import type { DefinedRule, Definition } from "../definition/definition.ts"
import type { ExpandedSegment, OtherFlag, Segments } from "../definition/segments.ts"
import { noSegments } from "../definition/segments.ts"
import { toDefinition } from "../definition/validate.ts"
import { isFlag } from "../hints/unknown-member.ts"
import { keyOfFile } from "../read/file-names.ts"
import type { ParsedFile } from "../yaml/tree.ts"
import { sameValue } from "./canonical-json.ts"
import { addUses, type OpenCondition, type OpenGroup, openCondition, parseFlagUse } from "./open-condition.ts"
import { jsonOf } from "./rule-meaning.ts"
import { createToWire, isReadableOnWire } from "./wire-condition.ts"

/** Parses a flag file; `undefined` if it cannot be read. */
export type TreeOf = (source: SourceFile) => ParsedFile | undefined

/**
 * The segments, with the condition "that flag gives this value in this environment" for each name of `nameOfFlagUse`. A
 * flag's tree is asked for when a condition refers to it.
 */
export function withFlags<S extends Segments>(
  segments: S,
  sources: readonly SourceFile[],
  treeOf: TreeOf,
): S {
  const parsed = new Map<string, Definition | undefined>()
  const expanded = new Map<string, ExpandedSegment | undefined>()
  let byKey: ReadonlyMap<string, SourceFile> | undefined
  const sourcesByKey = () => {
    // the first of two with the same key
    byKey ??= new Map(sources.toReversed().map((source) => [keyOf(source, treeOf), source]))
    return byKey
  }
  const definitionOf = (key: string): Definition | undefined => {
    const source = sourcesByKey().get(key)
    if (source !== undefined && !parsed.has(key)) {
      const tree = treeOf(source)
      parsed.set(key, tree && toDefinition(tree, whole))
    }
    return parsed.get(key)
  }
  const expand = (name: string): ExpandedSegment | undefined => {
    const [environment = "", key = "", gives = null] = parseFlagUse(name) ?? []
    const definition = definitionOf(key)
    return definition && measured(conditionOf(definition, environment, gives))
  }
  const whole: S = {
    ...segments,
    get(name: string) {
      if (parseFlagUse(name) === undefined) return segments.get(name)
      if (!expanded.has(name)) {
        expanded.set(name, undefined) // for one that depends on itself, which a check reports
        expanded.set(name, expand(name))
      }
      return expanded.get(name)
    },
    flags: {
      keys: () => [...sourcesByKey().keys()],
      get(key: string) {
        const definition = definitionOf(key)
        return definition && otherFlagOf(definition)
      },
    },
  }
  return whole
}

function keyOf(source: SourceFile, treeOf: TreeOf): string {
  if (!/\bkey["']?\s*:/.test(source.text)) return keyOfFile(source.path)
  const tree = treeOf(source)
  return (tree && toDefinition(tree, noSegments)?.key) ?? keyOfFile(source.path)
}

function otherFlagOf({ root, type, defaultValue, configurations }: Definition): OtherFlag {
  const valuesOf = (rules: readonly DefinedRule[]) =>
    [defaultValue, ...rules.map(({ returnValue }) => returnValue)].map(jsonOf)
  const configurationIn = (environment: string) =>
    configurations.find((one) => one.environment === environment)
  return {
    isFlag: isFlag(root),
    isBoolean: type === "boolean",
    values: valuesOf(configurations.flatMap((one) => one.rules)),
    valuesIn(environment) {
      const configuration = configurationIn(environment)
      return valuesOf(configuration?.enabled ? configuration.rules : [])
    },
    uses(environment) {
      const names = new Set<string>()
      for (const { condition } of configurationIn(environment)?.rules ?? [])
        addUses(openCondition(condition), names)
      return names
    },
  }
}

/**
 * The condition that a flag gives a value, built from its last rule to its first; `undefined` if a rule cannot be read.
 */
function conditionOf(
  { key, segments, defaultValue, configurations }: Definition,
  environment: string,
  gives: Json,
): Condition | undefined {
  const configuration = configurations.find((one) => one.environment === environment)
  const rules = configuration?.enabled ? configuration.rules : []
  const toWire = createToWire(segments)
  let rest: OpenCondition | boolean = sameValue(jsonOf(defaultValue), gives)
  for (const { condition, returnValue } of rules.toReversed()) {
    const sent = toWire(openCondition(condition))
    if (!isReadableOnWire(sent)) return undefined
    const isIn = sameValue(jsonOf(returnValue), gives)
    if (isAlways(sent.operator)) rest = isIn
    else if (rest !== isIn) {
      const seeded = inFlag(key, sent)
      if (seeded === undefined) return undefined
      rest = isIn ? either(seeded, rest) : butNot(seeded, rest)
    }
  }
  const open = rest === true ? always : rest === false ? group("none", always) : rest
  const sent = createToWire(noSegments)(open)
  return isReadableOnWire(sent) ? sent : undefined
}

function either(condition: Condition, rest: OpenCondition | boolean): OpenCondition {
  if (typeof rest === "boolean") return condition
  return isGroup(rest, "any") ? group("any", condition, ...rest.conditions) : group("any", condition, rest)
}

function butNot(condition: Condition, rest: OpenCondition | boolean): OpenCondition {
  if (typeof rest === "boolean") return group("none", condition)
  if (isGroup(rest, "none")) return group("none", condition, ...rest.conditions)
  if (!isGroup(rest, "all")) return group("all", group("none", condition), rest)
  const [first, ...others] = rest.conditions
  return first !== undefined && isGroup(first, "none")
    ? group("all", group("none", condition, ...first.conditions), ...others)
    : group("all", group("none", condition), ...rest.conditions)
}

function group(kind: GroupKind, ...conditions: readonly OpenCondition[]): OpenGroup {
  return { kind, conditions }
}

function isGroup(condition: OpenCondition, kind: GroupKind): condition is OpenGroup {
  return "kind" in condition && condition.kind === kind
}

/** A condition in its wire format with the users that it has in a flag; `undefined` if it is too long, or no SDK can read it. */
function inFlag(key: string, sent: Condition): Condition | undefined {
  const condition = decode(sent)
  return condition && createEncode(key)(seededBy(key, condition))
}

function measured(condition: Condition | undefined): ExpandedSegment | undefined {
  return condition && { condition, ...sizeOf(condition) }
}

function sizeOf(condition: Condition): Pick<ExpandedSegment, "depth" | "conditions"> {
  if (!isGroupKind(condition.operator)) return { depth: 0, conditions: 0 }
  const parts: readonly Condition[] = JSON.parse(condition.value)
  const sizes = parts.map(sizeOf)
  return {
    depth: 1 + sizes.reduce((most, { depth }) => Math.max(most, depth), 0),
    conditions: sizes.reduce((sum, { conditions }) => sum + conditions, parts.length),
  }
}
