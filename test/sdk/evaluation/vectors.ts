import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { gunzipSync } from "node:zlib"
import type { FlagEntry, Json, Rule } from "../../../sdk/contract/snapshot.ts"

/** A case of the vectors: what a flag must evaluate to in a context. */
export interface Vector {
  readonly suite: string
  readonly case: string
  readonly flag: { readonly key: string; readonly defaultValue: Json }
  readonly environment: {
    readonly enabled: boolean
    readonly rules: readonly Omit<Rule, "id">[]
  } | null
  readonly context: Readonly<Record<string, Json>>
  readonly expected: Json
  /** One of the project's own operators decides: no answer may be given. */
  readonly cannotBeKnown?: true
}

const vectorsFolder = resolve(import.meta.dirname, "../../../sdk/evaluation/vectors")
const vendorsFolder = resolve(import.meta.dirname, "../../../../shared/vectors")

/** Flagstone's own cases, which are published with the package. */
export const ownFiles: readonly string[] = ["flagstone.jsonl", "decisions.jsonl"].map((name) =>
  join(vectorsFolder, name),
)
export const ownVectors: readonly Vector[] = ownFiles.flatMap((file) => parse(readFileSync(file, "utf8")))

/** A document as text, and whether every SDK accepts or refuses it. */
export interface DocumentCase {
  readonly case: string
  readonly document: string
  readonly accepted: boolean
}

export const documentCases: readonly DocumentCase[] = parse(
  readFileSync(join(vectorsFolder, "documents.jsonl"), "utf8"),
)

/** Cases of other vendors' suites by name; they are beside the project, not in it. */
export const vendorFiles: ReadonlyMap<string, string> = new Map(
  ["launchdarkly", "unleash"].flatMap((name) => {
    const file = join(vendorsFolder, `${name}.jsonl.gz`)
    return existsSync(file) ? [[name, file]] : []
  }),
)
export const vendorVectors: ReadonlyMap<string, readonly Vector[]> = new Map(
  [...vendorFiles].map(([name, file]) => [name, parse(gunzipSync(readFileSync(file)).toString())]),
)
if (vendorVectors.size < 2)
  console.warn(`SKIPPED: vectors of other vendors' suites, because they are not in ${vendorsFolder}`)

function parse<T>(text: string): readonly T[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
}

/** A vector's flag as in a snapshot; its rules get ids by position. */
export function entryOf({ flag, environment }: Pick<Vector, "flag" | "environment">): FlagEntry {
  const time = "2026-01-01T00:00:00.000Z"
  const id = `test/${flag.key}`
  return {
    flag: {
      id,
      projectId: "test",
      key: flag.key,
      name: flag.key,
      description: "",
      type: "json",
      defaultValue: flag.defaultValue,
      createdAt: time,
      updatedAt: time,
    },
    environment: environment && {
      id: `${id}@test`,
      flagId: id,
      environmentId: "test",
      enabled: environment.enabled,
      rules: environment.rules.map((rule, index) => ({ id: `rule-${index}`, ...rule })),
      updatedAt: time,
    },
  }
}
