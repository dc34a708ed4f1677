import type { Json } from "../../../proxy/contract/snapshot.ts"
import type { GroupKind } from "../../../sdk/evaluation/condition.ts"
import type { SourceFile, Span } from "../../diagnostics/diagnostic.ts"
import type { FlagType } from "../grammar/flag-types.ts"
import type { MappingNode, Member, Node } from "../yaml/tree.ts"
import type { Place } from "./place.ts"
import type { Segments } from "./segments.ts"

/**
 * What an author wrote in one flag file, with the locations. Members that are missing or have the wrong shape are
 * `undefined`, and `validate` has reported them; the checks look only at what is there.
 */
export interface Definition {
  readonly source: SourceFile
  readonly root: MappingNode
  readonly key: string
  /** The `key:` member's value; `undefined` if the file's base name is the key. */
  readonly keySpan: Span | undefined
  readonly id: Text | undefined
  readonly name: string
  readonly description: string
  /** `undefined` if the author wrote something that is not a type. */
  readonly type: FlagType | undefined
  readonly defaultValue: Node | undefined
  readonly expires: Text | undefined
  readonly configurations: readonly DefinedConfiguration[]
  /** The segments that its conditions can use. */
  readonly segments: Segments
}

/** What an author wrote in one segment file, with the locations: a condition that has a name. */
export interface DefinedSegment {
  readonly source: SourceFile
  readonly root: MappingNode
  /** The file's name without `.segment.yaml`. */
  readonly name: string
  readonly description: string
  readonly condition: DefinedCondition
  /** The segments that its condition can use. */
  readonly segments: Segments
}

/** A flag's configuration in one environment, as written. */
export interface DefinedConfiguration {
  readonly node: MappingNode
  readonly environment: string
  readonly nameSpan: Span
  readonly id: Text | undefined
  readonly enabled: boolean
  /** Each split is replaced by the rules that it stands for. */
  readonly rules: readonly DefinedRule[]
  readonly splits: readonly DefinedSplit[]
}

/** A rule that gives several values, each to a share of users, as written. */
export interface DefinedSplit {
  /** The rule's node. */
  readonly node: MappingNode
  readonly nameSpan: Span
  /** The condition next to it, which limits the split; `undefined`: everyone. */
  readonly whom: DefinedCondition | undefined
  /** The member that names the attribute; `undefined` if it is not there. */
  readonly by: Member | undefined
  /** Hashed with the attribute; `undefined`: the flag's key. */
  readonly seed: string | undefined
  readonly shares: readonly DefinedShare[]
}

/** A share of a split, as written. */
export interface DefinedShare {
  readonly node: MappingNode
  readonly share: Member | undefined
  /** Of a percent; `undefined` if the number is not a valid share. */
  readonly thousandths: number | undefined
}

/** A targeting rule, as written. */
export interface DefinedRule {
  readonly node: MappingNode
  readonly id: Text | undefined
  readonly condition: DefinedCondition
  readonly returnValue: Node | undefined
  /** The split that it is a share of; absent if the author wrote the rule itself. */
  readonly split?: DefinedSplit
}

/** A rule's condition, as written. */
export type DefinedCondition = DefinedComparison | DefinedGroup | DefinedUse | DefinedFlagUse

/** A condition about one attribute. Its node is the rule's unless it is in a group. */
export interface DefinedComparison {
  readonly kind: "comparison"
  readonly node: MappingNode
  readonly attribute: Text | undefined
  readonly operator: Text | undefined
  readonly value: Node | undefined
  /** Whether the case of A to Z is ignored; absent: it is not. */
  readonly ignoresCase?: boolean
  /** Present if written as `share:`, or as a share of a split with a seed. Its `value` is then the end of the share. */
  readonly share?: WrittenShare
  /** Present if written as a share of a split. */
  readonly ofSplit?: true
}

/** A share by a seed, as written. */
export interface WrittenShare {
  readonly nameSpan: Span
  /** In percent. */
  readonly from: number
  /** `undefined`: the flag's key, with `from` 0; in a segment, none. */
  readonly seed: string | undefined
  /** The nodes of the two ends; absent in a split. */
  readonly ends?: { readonly from: Node | undefined; readonly to: Node | undefined }
}

/** Conditions, of which all, any or none must hold. Its node is the rule's unless it is in a group. */
export interface DefinedGroup {
  readonly kind: GroupKind
  readonly node: MappingNode
  readonly nameSpan: Span
  /** Empty if the author wrote no list. */
  readonly conditions: readonly DefinedCondition[]
  /** Present if the author wrote a condition next to a split instead of a list. */
  readonly ofSplit?: true
}

/** `segment: <name>`, which stands for the condition of that segment. Its node is the rule's unless it is in a group. */
export interface DefinedUse {
  readonly kind: "segment"
  readonly node: MappingNode
  readonly nameSpan: Span
  /** `undefined` if the author did not write a string. */
  readonly name: Text | undefined
}

/** `flag: <key>`: that flag gives a value in the same environment. Its node is the rule's unless it is in a group. */
export interface DefinedFlagUse {
  readonly kind: "flag"
  readonly node: MappingNode
  readonly nameSpan: Span
  /** `undefined` if the author did not write a string. */
  readonly key: Text | undefined
  /** The node of `is` and its value, `true` by default. */
  readonly is: Node | undefined
  readonly gives: Json
  readonly place: Place | undefined
}

/** A string and its location. */
export interface Text {
  readonly text: string
  readonly span: Span
}

/** A value's string; `undefined` if it is not a string. */
export function writtenText(value: Node | undefined): Text | undefined {
  return value?.kind === "scalar" && typeof value.value === "string"
    ? { text: value.value, span: value }
    : undefined
}
