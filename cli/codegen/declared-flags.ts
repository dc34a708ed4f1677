import type { FlagEntry, Json, SnapshotDocument } from "../../sdk/contract/snapshot.ts"
import { numberKind } from "../../sdk/evaluation/number-kind.ts"
import type { Build } from "../project/build.ts"

/** What code that reads a flag needs to know about it, across all environments. */
export interface DeclaredFlag {
  readonly key: string
  readonly description: string
  /** A number is an integer if it is whole in every environment. */
  readonly type: "boolean" | "string" | "integer" | "float" | "object"
  readonly defaultValue: Json
  /** Its distinct values in all environments, the default first. */
  readonly values: readonly Json[]
}

/** The flags of a build, sorted by their keys. */
export function declaredFlags({ snapshots }: Pick<Build, "snapshots">): readonly DeclaredFlag[] {
  const entries = new Map<string, FlagEntry[]>()
  for (const { bytes } of snapshots) {
    const document: SnapshotDocument = JSON.parse(Buffer.from(bytes).toString())
    for (const entry of document.flags) {
      const known = entries.get(entry.flag.key)
      if (known === undefined) entries.set(entry.flag.key, [entry])
      else known.push(entry)
    }
  }
  return [...entries.values()].flatMap((group) => declare(group) ?? [])
}

function declare(entries: readonly FlagEntry[]): DeclaredFlag | undefined {
  const [first] = entries
  if (first === undefined) return undefined
  const { key, description, defaultValue } = first.flag
  const returned = entries.flatMap(({ environment }) => environment?.rules ?? [])
  const values = new Map(
    [defaultValue, ...returned.map(({ returnValue }) => returnValue)].map((value) => [
      JSON.stringify(value),
      value,
    ]),
  )
  return {
    key,
    description,
    type: typeOf(entries, first.flag.type),
    defaultValue,
    values: [...values.values()],
  }
}

function typeOf(entries: readonly FlagEntry[], type: FlagEntry["flag"]["type"]): DeclaredFlag["type"] {
  if (type === "json") return "object"
  if (type !== "number") return type
  return entries.some((entry) => numberKind(entry) === "float") ? "float" : "integer"
}
