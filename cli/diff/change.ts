import type { Configuration, Flag, Json, Rule } from "../../proxy/contract/snapshot.ts"
import type { Phrase } from "./phrase.ts"

/**
 * How much a change weighs. `none`: no snapshot changes by it. `definition`: a snapshot changes, and what flags
 * evaluate to does not. `behaviour`: somebody may get another value.
 */
export type Weight = "none" | "definition" | "behaviour"

/** A flag as its snapshots say it, but for the times. */
export interface FlagMeaning {
  readonly definition: Omit<Flag, "createdAt" | "updatedAt">
  /** By environment name; absent where the flag is not configured. */
  readonly configurations: Readonly<Record<string, ConfigurationMeaning>>
}

export type ConfigurationMeaning = Omit<Configuration, "updatedAt">

/** The ids that the wire gives a flag and its configurations. */
export interface Ids {
  readonly id: string
  readonly projectId: string
  /** By environment name. */
  readonly configurations: Readonly<Record<string, { readonly id: string; readonly environmentId: string }>>
}

/** What differs between two revisions in meaning. Positions of rules count from 0. The union is closed. */
export type Fact = ProjectFact | FlagFact | ConfigurationFact

/** About the project file. `null` where there is no project on that side. */
export type ProjectFact =
  | {
      readonly kind: "project-changed"
      readonly member: "name" | "id" | "operators" | "protected"
      readonly before: Json
      readonly after: Json
    }
  | {
      readonly kind: "environment-added"
      readonly environment: string
      readonly after: { readonly id: string }
    }
  | {
      readonly kind: "environment-removed"
      readonly environment: string
      readonly before: { readonly id: string }
    }
  | {
      readonly kind: "environment-changed"
      readonly environment: string
      readonly before: { readonly id: string }
      readonly after: { readonly id: string }
    }

/** About a flag in all environments. */
export type FlagFact =
  | { readonly kind: "flag-added"; readonly flag: string; readonly after: FlagMeaning }
  | { readonly kind: "flag-removed"; readonly flag: string; readonly before: FlagMeaning }
  | {
      /** The same definition under another key, which `flag` is. */
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
      /** `null` where the member is not written. */
      readonly kind: "people-changed"
      readonly flag: string
      readonly member: PeopleMember
      readonly before: Json
      readonly after: Json
    }
  | { readonly kind: "ids-changed"; readonly flag: string; readonly before: Ids; readonly after: Ids }

export type DefinitionMember = "type" | "defaultValue" | "name" | "description"
export type PeopleMember = "owner" | "tags" | "expires"
export type RuleMember = keyof Rule

/** About a flag in one environment. */
export type ConfigurationFact = { readonly flag: string; readonly environment: string } & (
  | { readonly kind: "configured"; readonly after: ConfigurationMeaning }
  | { readonly kind: "unconfigured"; readonly before: ConfigurationMeaning }
  | { readonly kind: "switched-on" | "switched-off" }
  | { readonly kind: "rule-added"; readonly to: number; readonly after: Rule }
  | { readonly kind: "rule-removed"; readonly from: number; readonly before: Rule }
  | RuleMoved
  | RuleEdited
)

/** A rule that another has overtaken; those that only made room have not moved. */
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
  readonly before: Rule
  readonly after: Rule
}

/** Somebody who gets another value: a whole sentence without its full stop. */
export interface Effect {
  readonly environment: string
  readonly who: Phrase
}

/** A fact with its weight. */
export type Change = Fact & {
  readonly weight: Weight
  /** Empty unless the weight is `behaviour`. */
  readonly affected: readonly Effect[]
  /** Why nobody is affected, where that is no matter of course. */
  readonly reason?: Phrase
  /** The flag's file, or the project file: absolute, of the newer side where it is there. */
  readonly file: string
}

/** An environment of either side; protected where either side says so. */
export interface DiffEnvironment {
  readonly name: string
  readonly protected: boolean
}

/** Whether a comparison is about an environment. */
export type Scope = (environment: string) => boolean
