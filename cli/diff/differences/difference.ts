import type { Json } from "../../../sdk/contract/snapshot.ts"
import type { TimelessConfiguration, TimelessFlag } from "../../flag/sent-flag.ts"
import type { Reference } from "../../language/condition.ts"
import type { Rule } from "../../language/flag.ts"

/** A flag as its snapshots have it, without the times. */
export interface FlagMeaning {
  readonly definition: TimelessFlag
  /** By environment name; absent if the flag is not configured. */
  readonly configurations: Readonly<Record<string, TimelessConfiguration>>
}

/** The ids that the wire gives a flag and its configurations. */
export interface Ids {
  readonly id: string
  readonly projectId: string
  /** By environment name. */
  readonly configurations: Readonly<Record<string, { readonly id: string; readonly environmentId: string }>>
}

/** One thing whose meaning differs between two revisions. Positions of rules count from 0. The union is closed. */
export type Difference = ProjectDifference | InvariantDifference | FlagDifference | ConfigurationDifference

/** A difference in the project file. A value is `null` where that side has no project. */
export type ProjectDifference =
  | {
      readonly kind: "project-changed"
      readonly member: "name" | "id" | "operators" | "protected"
      readonly before: Json
      readonly after: Json
    }
  | {
      readonly kind: "environment-added"
      readonly environment: string
      readonly renamedFrom?: string
      readonly after: { readonly id: string }
    }
  | {
      readonly kind: "environment-removed"
      readonly environment: string
      readonly renamedTo?: string
      readonly before: { readonly id: string }
    }
  | {
      readonly kind: "environment-changed"
      readonly environment: string
      readonly before: { readonly id: string }
      readonly after: { readonly id: string }
    }

/** An invariant that was added, removed or changed, as written. A value is `null` on a side that does not have it. */
export interface InvariantDifference {
  readonly kind: "invariant-changed"
  readonly invariant: string
  readonly before: Json
  readonly after: Json
}

/** A difference in a flag that concerns all environments. */
export type FlagDifference =
  | { readonly kind: "flag-added"; readonly flag: string; readonly after: FlagMeaning }
  | { readonly kind: "flag-removed"; readonly flag: string; readonly before: FlagMeaning }
  | {
      /** The same definition under another key: `from` was renamed to `flag`. */
      readonly kind: "flag-renamed"
      readonly flag: string
      readonly from: string
      readonly before: FlagMeaning
      readonly after: FlagMeaning
    }
  | {
      readonly kind: "definition-changed"
      readonly flag: string
      readonly member: DefinitionMember
      readonly before: Json
      readonly after: Json
    }
  | {
      /** A value is `null` where the member is not written. */
      readonly kind: "people-changed"
      readonly flag: string
      readonly member: PeopleMember
      readonly before: Json
      readonly after: Json
    }
  | { readonly kind: "ids-changed"; readonly flag: string; readonly before: Ids; readonly after: Ids }

export type DefinitionMember = "type" | "defaultValue" | "name" | "description"
export type PeopleMember = "owner" | "tags" | "expires" | "links"
export type RuleMember = keyof Rule["sent"]

/** A difference in a flag's configuration in one environment. */
export type ConfigurationDifference = { readonly flag: string; readonly environment: string } & (
  | { readonly kind: "configured"; readonly after: TimelessConfiguration }
  | { readonly kind: "unconfigured"; readonly before: TimelessConfiguration }
  | { readonly kind: "switched-on" | "switched-off" }
  | { readonly kind: "rule-added"; readonly to: number; readonly after: Rule }
  | { readonly kind: "rule-removed"; readonly from: number; readonly before: Rule }
  | RuleMoved
  | RuleEdited
)

/** A rule that changed its order among the rules that stayed. A rule that only made room has not moved. */
export interface RuleMoved {
  readonly kind: "rule-moved"
  readonly from: number
  readonly to: number
  readonly rule: Rule
}

export interface RuleEdited {
  readonly kind: "rule-edited"
  readonly from: number
  readonly to: number
  readonly members: readonly RuleMember[]
  /** The references whose meaning changed; absent unless that alone changed the rule's condition. */
  readonly references?: readonly Reference[]
  readonly before: Rule
  readonly after: Rule
}
