import { deepestGroup, mostConditions } from "../../sdk/evaluation/condition.ts"
import { createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import { sameValue } from "../language/canonical-json.ts"
import {
  always,
  type Condition,
  type FlagUse,
  type Group,
  isAlways,
  seededBy,
  sizeOf,
} from "../language/condition.ts"
import { createEncode } from "../language/encode.ts"
import type { Flag, Rule } from "../language/flag.ts"
import {
  isResolved,
  meant,
  type OtherFlag,
  type References,
  referenceName,
  referencesIn,
} from "../language/references.ts"
import type { Node, ParsedFile } from "../language/tree.ts"
import { keyOfFile } from "../reading/files/file-names.ts"
import { isFlag } from "../reading/hints/unknown-field.ts"
import { type FlagProject, keyIn, toFlag } from "../reading/read-flag.ts"
import { parseSource } from "../yaml/parse.ts"
import { mightName } from "./might-name.ts"
import { activeRules } from "./outcomes.ts"

/** Parses a flag file; `undefined` if it cannot be read. */
export type TreeOf = (source: SourceFile) => ParsedFile | undefined

/**
 * The segments, with the flags that conditions refer to. A flag's tree, and whether its file is broken, are asked for when a
 * condition refers to it.
 */
export function withFlags<S extends References>(
  segments: S,
  sources: readonly SourceFile[],
  treeOf: TreeOf,
  project: FlagProject,
  isBroken: (source: SourceFile) => boolean = () => false,
): S {
  const parsed = new Map<string, Flag | undefined>()
  const others = new Map<string, OtherFlag | undefined>()
  const meanings = new Map<string, Condition | undefined>()
  let byKey: ReadonlyMap<string, SourceFile> | undefined
  const sourcesByKey = () => {
    // the first of two with the same key
    byKey ??= new Map(sources.toReversed().map((source) => [keyOf(source, treeOf), source]))
    return byKey
  }
  const flagOf = (key: string): Flag | undefined => {
    const source = sourcesByKey().get(key)
    if (source !== undefined && !parsed.has(key)) {
      const tree = treeOf(source)
      parsed.set(key, tree && toFlag(tree, project, withThem))
    }
    return parsed.get(key)
  }
  const withThem: S = {
    ...segments,
    flags: {
      keys: () => [...sourcesByKey().keys()],
      get(key: string) {
        if (others.has(key)) return others.get(key)
        const flag = flagOf(key)
        const made = flag && otherFlagOf(flag, () => isBroken(flag.source))
        others.set(key, made)
        return made
      },
      meaningOf(use: FlagUse) {
        // First what they depend on, in a loop: a chain of flags may be longer than the stack.
        const pending = meanings.has(referenceName(use)) ? [] : [use]
        for (let next = pending.at(-1); next !== undefined; next = pending.at(-1)) {
          const name = referenceName(next)
          const flag = flagOf(next.key)
          if (!meanings.has(name)) {
            meanings.set(name, undefined) // for one that depends on itself, which a check reports
            for (const other of flag === undefined ? [] : usesIn(flag, next.environment))
              if (!meanings.has(referenceName(other))) pending.push(other)
          } else {
            pending.pop()
            if (meanings.get(name) === undefined && flag !== undefined && !isBroken(flag.source))
              meanings.set(name, meaningOfUse(flag, next))
          }
        }
        return meanings.get(referenceName(use))
      },
    },
  }
  return withThem
}

/** The key of the flag in a file, which is parsed only if it may set one. */
export function keyOf(source: SourceFile, treeOf: TreeOf = parseAlone): string {
  const tree = mightName(source.text, keyField) ? treeOf(source) : undefined
  return (tree && keyIn(tree)) ?? keyOfFile(source.path)
}

const keyField: ReadonlySet<string> = new Set(["key"])

/** Reports no mistake: whoever wants the file reads it again. */
const parseAlone: TreeOf = (source) => parseSource(source, createReport())

function otherFlagOf(flag: Flag, isBroken: () => boolean): OtherFlag {
  const { root, type, defaultValue, configurations } = flag
  const used = new Map<string, readonly string[]>()
  const valuesOf = (rules: readonly Rule[]) => [defaultValue, ...rules.map(({ gives }) => gives)]
  return {
    isFlag: isFlag(root),
    isBroken,
    isBoolean: type === "boolean",
    values: valuesOf([...configurations.values()].flatMap(({ rules }) => rules)),
    valuesIn: (environment) => valuesOf(activeRules(flag, environment)),
    uses(environment) {
      const uses = used.get(environment) ?? usesIn(flag, environment).map(({ key }) => key)
      used.set(environment, uses)
      return uses
    },
  }
}

/** The conditions about flags in a flag's rules. */
function usesIn({ configurations }: Flag, environment: string): readonly FlagUse[] {
  return (configurations.get(environment)?.items ?? []).flatMap(({ condition }) =>
    condition === undefined ? [] : referencesIn(condition).filter((reference) => reference.kind === "flag"),
  )
}

/**
 * The condition that a flag gives a value, built from its last rule to its first; `undefined` if no SDK could read it, or
 * one of the flag's rules.
 */
function meaningOfUse(flag: Flag, { environment, is }: FlagUse): Condition | undefined {
  let rest: Condition | boolean = sameValue(flag.defaultValue, is)
  for (const { item, condition, gives } of activeRules(flag, environment).toReversed()) {
    const meaning = isResolved(condition) ? meant(condition) : undefined
    if (meaning === undefined || !isWithinLimits(meaning)) return undefined
    const isIn = sameValue(gives, is)
    if (isAlways(meaning)) rest = isIn
    else if (rest !== isIn) {
      const seeded = seededBy(flag.key, item.split === undefined ? condition : flatter(condition))
      rest = isIn ? either(seeded, rest) : butNot(seeded, rest)
    }
  }
  const meaning = rest === true ? always : rest === false ? group("none", always) : rest
  return createEncode(flag.key)(meaning) && meant(meaning)
}

/** The conditions of a rule stand beside the share of its arm, instead of a level below. */
function flatter(arm: Condition): Condition {
  if (arm.kind !== "all") return arm
  return { ...arm, parts: arm.parts.flatMap((part) => (part.kind === "all" ? part.parts : part)) }
}

function isWithinLimits(condition: Condition): boolean {
  const { depth, conditions } = sizeOf(condition)
  return depth <= deepestGroup && conditions <= mostConditions
}

function either(condition: Condition, rest: Condition | boolean): Condition {
  if (typeof rest === "boolean") return condition
  return isMade(rest, "any") ? group("any", condition, ...rest.parts) : group("any", condition, rest)
}

function butNot(condition: Condition, rest: Condition | boolean): Condition {
  if (typeof rest === "boolean") return group("none", condition)
  if (isMade(rest, "none")) return group("none", condition, ...rest.parts)
  if (!isMade(rest, "all")) return group("all", group("none", condition), rest)
  const [first, ...others] = rest.parts
  return first !== undefined && isMade(first, "none")
    ? group("all", group("none", condition, ...first.parts), ...others)
    : group("all", group("none", condition), ...rest.parts)
}

function group(kind: Group["kind"], ...parts: readonly Condition[]): Group {
  return { kind, parts }
}

/** Whether a condition is a group that was made here, which has no place. The group of an author stays as it is. */
function isMade<Kind extends Group["kind"]>(
  condition: Condition,
  kind: Kind,
): condition is Group & { readonly kind: Kind } {
  return condition.kind === kind && condition.at === undefined
}

/** Whether a file may have a condition on a flag. */
export function mayAskForFlags(source: SourceFile): boolean {
  return hasField(source, flagField)
}

const flagField: ReadonlySet<string> = new Set(["flag"])

/**
 * Whether a file has a field with one of the names, anywhere. It is parsed if its text may have the name, because YAML can write a
 * field in many ways: with escapes, behind a `?`, or with a comment before its colon. A file that cannot be read has none.
 */
export function hasField(
  source: SourceFile,
  names: ReadonlySet<string>,
  treeOf: TreeOf = parseAlone,
): boolean {
  if (!mightName(source.text, names)) return false
  const tree = treeOf(source)
  return tree !== undefined && isFieldIn(tree.root, names)
}

function isFieldIn(node: Node, names: ReadonlySet<string>): boolean {
  switch (node.kind) {
    case "scalar":
      return false
    case "sequence":
      return node.items.some((item) => isFieldIn(item, names))
    case "mapping":
      return node.members.some(({ name, value }) => names.has(name) || isFieldIn(value, names))
  }
}
