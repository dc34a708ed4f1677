/** A value that JSON carries exactly. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json }

/** A flag's definition; members in the order of `read-api.md` 2.1, which is also their order on the wire. */
export interface Flag {
  readonly id: string
  readonly projectId: string
  readonly key: string
  readonly name: string
  readonly description: string
  readonly type: "boolean" | "string" | "number" | "json"
  readonly defaultValue: Json
  /** ISO 8601, UTC, milliseconds; so are all times of the wire. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** A targeting rule, `read-api.md` 2.3. `attribute` and `value` are `""` where the operator takes none. */
export interface Rule {
  readonly id: string
  readonly attribute: string
  readonly operator: string
  /** The operand. The list of `in` and `notIn` travels as a JSON array in the string. */
  readonly value: string
  readonly returnValue: Json
}

/** What a flag does in one environment, `read-api.md` 2.2. */
export interface Configuration {
  readonly id: string
  readonly flagId: string
  readonly environmentId: string
  readonly enabled: boolean
  readonly rules: readonly Rule[]
  readonly updatedAt: string
}

/** An element of the list response, and the whole single-flag response, `read-api.md` 2.4 and 4.2. */
export interface FlagEntry {
  readonly flag: Flag
  /** `null` where the flag is not configured in the environment. */
  readonly environment: Configuration | null
}

/** The compiled document of one environment: a snapshot file is the list response of `read-api.md` 4.1. */
export interface SnapshotDocument {
  readonly flags: readonly FlagEntry[]
}
