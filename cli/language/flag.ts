import type { Json, Rule as SentRule } from "../../sdk/contract/snapshot.ts"
import type { SourceFile, Span } from "../diagnostics/diagnostic.ts"
import type { Condition } from "./condition.ts"
import type { FlagType } from "./flag-types.ts"
import type { KnownAttributes } from "./known-attributes.ts"
import type { References } from "./references.ts"
import type { MappingNode, Member, Node, Text } from "./tree.ts"

/**
 * A flag, read from its file: the one form between files and everything that is made of flags. In a file with errors, what is
 * missing or has the wrong shape is `undefined`, `null`, `""`, `false` or not a number, so that the history of an old version with
 * mistakes still dates the rest. `soundRules` tells which rules have none, and `OtherFlag.isBroken` whether other files may rely on it.
 */
export interface Flag {
  readonly source: SourceFile
  readonly root: MappingNode
  readonly key: string
  /** The `key:` member's value; `undefined` if the file's base name is the key. */
  readonly keySpan: Span | undefined
  /** As SDKs get it. */
  readonly id: string
  /** Set by its author. */
  readonly writtenId: Text | undefined
  /** As SDKs get it. */
  readonly projectId: string
  readonly name: string
  readonly description: string
  /** `undefined` if the author wrote something that is not a type. */
  readonly type: FlagType | undefined
  /** `null` if it is missing. */
  readonly defaultValue: Json
  readonly defaultNode: Node | undefined
  readonly expires: Text | undefined
  /** By environment, in the order of the file. */
  readonly configurations: ReadonlyMap<string, Configuration>
  /** What the project knows of attributes. */
  readonly attributes: KnownAttributes
  /** What its conditions can refer to. */
  readonly references: References
}

/** A flag's configuration in one environment. */
export interface Configuration {
  readonly environment: string
  /** As SDKs get them. */
  readonly id: string
  readonly flagId: string
  readonly environmentId: string
  /** Set by its author. */
  readonly writtenId: Text | undefined
  readonly enabled: boolean
  /** As its author wrote them. */
  readonly items: readonly RuleItem[]
  /** In the order in which they are asked: one for each item without a split, and for each sound arm of a split. */
  readonly rules: readonly Rule[]
  readonly node: MappingNode
  readonly nameSpan: Span
}

/** How reports name a rule: as its author counts, where a split is one rule. */
export interface RuleNumber {
  /** Of its item in the file, from 1. */
  readonly number: number
  /** Of the arm in its split, from 1; absent: the rule has no split. */
  readonly arm?: number
}

/** The numbers of a rule alone. */
export function numberOf({ number, arm }: RuleNumber): RuleNumber {
  return { number, ...(arm !== undefined && { arm }) }
}

/** A targeting rule, or what an arm of a split stands for. */
export interface Rule extends RuleNumber {
  readonly item: RuleItem
  /** Set by its author; of an arm, with the arm's number. */
  readonly writtenId: Text | undefined
  /** With what its references mean. */
  readonly condition: Condition
  /** `null` if it is missing. */
  readonly gives: Json
  readonly givesNode: Node | undefined
  /** The mapping of the rule, or of the arm. */
  readonly node: MappingNode
  /** As SDKs get it. */
  readonly sent: SentRule
}

/** An item of `rules` in a file: a targeting rule, where a split is one rule. */
export interface RuleItem {
  readonly node: MappingNode
  readonly id: Text | undefined
  /** Of a split, what limits it. `undefined`: everyone, because the rule has a split and no condition beside it. */
  readonly condition: Condition | undefined
  readonly split: Split | undefined
  /** Absent beside a split. */
  readonly returnValue: Node | undefined
}

/** Several values, each for a share of the users who match the rule. */
export interface Split {
  readonly nameSpan: Span
  /** The member that names the attribute; `undefined` if it is not there. */
  readonly by: Member | undefined
  /** Hashed with the attribute; `undefined`: the flag's key. */
  readonly seed: string | undefined
  readonly arms: readonly Arm[]
}

/** A value of a split and its share. */
export interface Arm {
  readonly node: MappingNode
  readonly share: Member | undefined
  /** Of a percent; `undefined` if the number is not a valid share. */
  readonly thousandths: number | undefined
  readonly returnValue: Node | undefined
}

/** A segment, read from its file: a condition that has a name. */
export interface Segment {
  readonly source: SourceFile
  readonly root: MappingNode
  /** The file's name without `.segment.yaml`. */
  readonly name: string
  readonly description: string
  readonly condition: Condition
  /** What its condition can refer to. */
  readonly references: References
}

/** A sentence that holds for every user, as an author wrote it. */
export interface Invariant {
  readonly source: SourceFile
  /** Its item in the file's list. */
  readonly root: MappingNode
  /** `""` at the item's start if it has none. */
  readonly name: Text
  /** The environments in which it must hold, as written; all by default. */
  readonly environments: readonly string[]
  /** Whether it may be unknown if it holds. */
  readonly mayBeUnknown: boolean
  /** Its conditions in the first of its environments. */
  readonly conditions: readonly Condition[]
  /** The condition that no user may fulfil in an environment; `undefined` if the invariant says nothing, which is reported. */
  readonly violationIn: (environment: string) => Condition | undefined
  readonly references: References
}
