import type { Flag, FlagEntry, Json, SnapshotDocument } from "../contract/snapshot.ts"

/** Flags with one value each, for everyone, by key: for tests. Flags that are `undefined` are left out. */
export interface FlagValuesDocument {
  readonly flags: { readonly [key: string]: Json | undefined }
}

/** Turns flags with one value each into a document. Throws a `TypeError` for what code without types may pass. */
export function documentOfValues({ flags }: FlagValuesDocument): SnapshotDocument {
  if (Object(flags) !== flags || Symbol.iterator in flags)
    throw new TypeError('flags must be an object of values, such as { flags: { "delivery-slots": true } }')
  const keys = Object.keys(flags).toSorted((one, other) => (one < other ? -1 : 1))
  return { flags: keys.flatMap((key) => entryOf(key, flags[key])) }
}

function entryOf(key: string, value: Json | undefined): readonly FlagEntry[] {
  if (value === undefined) return []
  if (["bigint", "function", "symbol"].includes(typeof value))
    throw new TypeError(`the value of ${key} is a ${typeof value}: give JSON, such as true or 5`)
  const times = { createdAt: never, updatedAt: never }
  const flag = { id: key, projectId: "", key, name: key, description: "", type: typeOf(value), ...times }
  return [{ flag: { ...flag, defaultValue: value }, environment: null }]
}

const never = "1970-01-01T00:00:00.000Z"

function typeOf(value: Json): Flag["type"] {
  const type = typeof value
  return type === "boolean" || type === "string" || type === "number" ? type : "json"
}
