import { type Json, parseSnapshot } from "../../sdk/contract/snapshot.ts"
import type { Phrase } from "../diagnostics/phrase.ts"
import { sameValue } from "../language/canonical-json.ts"
import { valueStep } from "../phrases/value-step.ts"
import type { Build } from "../project/build.ts"
import type { Served } from "./served.ts"

/** How a document differs from the commit's. */
export interface Difference {
  /** `undefined`: the document as a whole. */
  readonly flag: string | undefined
  readonly words: Phrase
}

/** By environment, where it differs from the commit's; of the read API, only the environment that it serves. */
export type Comparison = ReadonlyMap<string, readonly Difference[]>

/** Whether every document has the commit's bytes. */
export function isSame(comparison: Comparison): boolean {
  return [...comparison.values()].every((differences) => differences.length === 0)
}

/** Compares what is served with the documents of a commit, byte for byte. */
export function compareWith(
  { manifest: set, documents }: Served,
  { snapshots, manifest }: Build,
): Comparison {
  const built = new Map(snapshots.map(({ environment, bytes }) => [environment, Buffer.from(bytes)]))
  if (set === undefined) {
    const [served = Buffer.alloc(0)] = documents.values()
    const ids = new Map(Object.entries(manifest.environments).map(([name, { id }]) => [id, name]))
    const [same] = [...built].find(([, bytes]) => bytes.equals(served)) ?? []
    const name = same ?? ids.get(environmentIn(served)) ?? snapshots[0]?.environment ?? ""
    return new Map([[name, differencesOf(built.get(name), served)]])
  }
  const names = new Set([...Object.keys(set.environments), ...built.keys()])
  return new Map(
    [...names].map((name) => {
      const isServed = set.environments[name] !== undefined
      return [name, isServed ? differencesOf(built.get(name), documents.get(name)) : [whole("is not served")]]
    }),
  )
}

function differencesOf(built: Buffer | undefined, served: Buffer | undefined): readonly Difference[] {
  if (built === undefined) return [whole("is not an environment of the commit")]
  if (served === undefined) return [whole("is missing or damaged")]
  if (built.equals(served)) return []
  const [before, after] = [entriesOf(built), entriesOf(served)]
  if (before === undefined || after === undefined) return [whole("is not a document of flags")]
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort()
  const found = keys.flatMap((flag): readonly Difference[] => {
    const [own, theirs] = [before.get(flag), after.get(flag)]
    if (own === undefined) return [{ flag, words: ["is served, and not in the commit"] }]
    if (theirs === undefined) return [{ flag, words: ["is in the commit, and not served"] }]
    return sameValue(own, theirs) ? [] : [{ flag, words: valueStep(own, theirs) }]
  })
  return found.length > 0 ? found : [whole("has the same flags, written differently")]
}

/** The flags of a document as they are on the wire, by key. */
function entriesOf(document: Buffer): ReadonlyMap<string, Json> | undefined {
  const parsed = parseSnapshot(document.toString("utf8"))
  if (parsed.kind === "invalid") return undefined
  return new Map(parsed.value.flags.map((entry) => [entry.flag.key, entry as unknown as Json]))
}

/** The id of the environment that a document is for; empty if no flag is configured in it. */
function environmentIn(document: Buffer): string {
  const parsed = parseSnapshot(document.toString("utf8"))
  const flags = parsed.kind === "valid" ? parsed.value.flags : []
  return flags.find(({ environment }) => environment !== null)?.environment?.environmentId ?? ""
}

const whole = (words: string): Difference => ({ flag: undefined, words: [words] })
