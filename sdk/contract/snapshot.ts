import { isObject, type Parsed } from "./parsed.ts"

/** A value that JSON can represent exactly. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json }

/** A flag's definition, with members in the order of `docs/read-api.md`, which is also their order on the wire. */
export interface Flag {
  readonly id: string
  readonly projectId: string
  readonly key: string
  readonly name: string
  readonly description: string
  readonly type: "boolean" | "string" | "number" | "json"
  readonly defaultValue: Json
  /** ISO 8601, UTC, milliseconds, like all times on the wire. */
  readonly createdAt: string
  readonly updatedAt: string
}

/** A targeting rule, `docs/read-api.md`. `attribute` and `value` are `""` if the operator takes none. */
export interface Rule {
  readonly id: string
  readonly attribute: string
  readonly operator: string
  /** The operand. A list, such as that of `in`, travels as a JSON array in the string. */
  readonly value: string
  readonly returnValue: Json
}

/** What a flag does in one environment, `docs/read-api.md`. */
export interface Configuration {
  readonly id: string
  readonly flagId: string
  readonly environmentId: string
  readonly enabled: boolean
  readonly rules: readonly Rule[]
  readonly updatedAt: string
}

/** An element of the list response, and the whole single-flag response, `docs/read-api.md`. */
export interface FlagEntry {
  readonly flag: Flag
  /** `null` if the flag is not configured in the environment. */
  readonly environment: Configuration | null
}

/** The compiled document of one environment: a snapshot file is the list response of `docs/read-api.md`. */
export interface SnapshotDocument {
  readonly flags: readonly FlagEntry[]
}

/**
 * Reads a snapshot: it must have the shape of `docs/read-api.md`, with unique keys sorted by code units. Unknown
 * members are let through, so that an older proxy can serve a newer build.
 */
export function parseSnapshot(text: string): Parsed<SnapshotDocument> {
  const json = parseJson(text)
  return json.kind === "invalid" ? json : checkSnapshot(json.value)
}

/** The first half of `parseSnapshot`, of which `checkSnapshot` is the second. */
export function parseJson(text: string): Parsed<unknown> {
  try {
    return { kind: "valid", value: JSON.parse(text) }
  } catch {
    return { kind: "invalid", reason: "it is not JSON" }
  }
}

/** Checks JSON that was parsed, as `parseSnapshot` does. */
export function checkSnapshot(document: unknown): Parsed<SnapshotDocument> {
  if (!isObject(document) || !Array.isArray(document.flags) || Object.keys(document).length !== 1)
    return { kind: "invalid", reason: "it is not an object with a list `flags` as its only member" }
  let previous: string | undefined
  for (const [index, value] of document.flags.entries()) {
    const entry = checkEntry(value, index, previous)
    if (entry.kind === "invalid") return entry
    previous = entry.value.flag.key
  }
  return { kind: "valid", value: { flags: document.flags } }
}

/** Reads one entry as `parseSnapshot` would at `index`, after the entry with the key `previous`. */
export function parseFlagEntry(text: string, index: number, previous: string | undefined): Parsed<FlagEntry> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: "invalid", reason: `flags[${index}] is not JSON` }
  }
  return checkEntry(value, index, previous)
}

function checkEntry(value: unknown, index: number, previous: string | undefined): Parsed<FlagEntry> {
  const fault = faultOf(value)
  if (fault !== undefined) return { kind: "invalid", reason: `flags[${index}] is not a flag entry${fault}` }
  const entry = value as FlagEntry
  if (previous !== undefined && entry.flag.key <= previous)
    return { kind: "invalid", reason: `flags[${index}] is out of order or has a duplicate key` }
  return { kind: "valid", value: entry }
}

/** What an entry lacks or has of a different type, after its name; `undefined`: nothing. */
function faultOf(entry: unknown): string | undefined {
  if (!isObject(entry) || Object.keys(entry).length !== 2) return ""
  const { flag, environment } = entry
  const inFlag = findAmiss(flag, flagTexts, "defaultValue")
  const amiss = inFlag === undefined ? findInConfiguration(environment) : `flag${inFlag}`
  return amiss && `: ${amiss} is missing or of a different type`
}

function findInConfiguration(environment: unknown): string | undefined {
  if (environment === null) return undefined
  const amiss = findAmiss(environment, configurationTexts, "rules")
  if (amiss !== undefined || !isObject(environment)) return `environment${amiss}`
  const { enabled, rules } = environment
  if (typeof enabled !== "boolean") return "environment.enabled"
  if (!Array.isArray(rules)) return "environment.rules"
  for (const [index, rule] of rules.entries()) {
    const inRule = findAmiss(rule, ruleTexts, "returnValue")
    if (inRule !== undefined) return `environment.rules[${index}]${inRule}`
  }
  return undefined
}

/**
 * The path, in an object, of the first member that is no string though it must be, or of `other`, whose type does not matter, if it
 * is missing; empty if it is no object.
 */
function findAmiss(object: unknown, texts: readonly string[], other: string): string | undefined {
  if (!isObject(object)) return ""
  for (const name of texts) if (typeof object[name] !== "string") return `.${name}`
  return object[other] === undefined ? `.${other}` : undefined
}

const flagTexts = ["id", "projectId", "key", "name", "description", "type", "createdAt", "updatedAt"]
const configurationTexts = ["id", "flagId", "environmentId", "updatedAt"]
const ruleTexts = ["id", "attribute", "operator", "value"]
