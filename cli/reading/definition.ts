import type { SourceFile, Span } from "../diagnostics/diagnostic.ts"
import type { Condition } from "../language/condition.ts"
import type { FlagType } from "../language/flag-types.ts"
import type { MappingNode, Member, Node } from "../language/tree.ts"
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
  readonly condition: Condition
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
  readonly rules: readonly DefinedRule[]
}

/** A targeting rule, as written. */
export interface DefinedRule {
  readonly node: MappingNode
  readonly id: Text | undefined
  /** `undefined`: everyone, because the rule has a split and no condition beside it. */
  readonly condition: Condition | undefined
  readonly gives: Node | Split | undefined
}

/** Several values, each for a share of the users who match the rule, as written. */
export interface Split {
  readonly kind: "split"
  readonly nameSpan: Span
  /** The member that names the attribute; `undefined` if it is not there. */
  readonly by: Member | undefined
  /** Hashed with the attribute; `undefined`: the flag's key. */
  readonly seed: string | undefined
  readonly arms: readonly Arm[]
}

/** A value of a split and its share, as written. */
export interface Arm {
  readonly node: MappingNode
  readonly share: Member | undefined
  /** Of a percent; `undefined` if the number is not a valid share. */
  readonly thousandths: number | undefined
  readonly returnValue: Node | undefined
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
