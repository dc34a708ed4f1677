import { type FlagEntry, type Json, parseSnapshot } from "../../sdk/contract/snapshot.ts"
import type { Phrase } from "../diagnostics/phrase.ts"
import { sameValue } from "../language/canonical-json.ts"
import { valueStep } from "../phrases/value-step.ts"
import type { Build } from "../project/build.ts"
import { asPublished, formatPointer } from "../publish/publication.ts"
import { diffWords } from "./diff-words.ts"
import type { Served } from "./served.ts"

/** How what is served differs from the commit's. */
export interface Difference {
  /** The environment of a document, or a file. */
  readonly place: string
  /** `undefined`: the place as a whole. */
  readonly flag: string | undefined
  readonly words: Phrase
}

/** Compares what is served with the documents of a commit, byte for byte, and a set's manifest with the one that the commit has. */
export async function compareWith(
  { manifest: set, manifestBytes, documents, strayPaths }: Served,
  build: Build | undefined,
): Promise<readonly Difference[]> {
  if (build === undefined) return [{ place: "the commit", ...whole("has no flags, or mistakes") }]
  const { snapshots, manifest } = build
  const built = new Map(snapshots.map(({ environment, bytes }) => [environment, Buffer.from(bytes)]))
  const names = set === undefined ? documents.keys() : new Set([...documents.keys(), ...built.keys()])
  const found: Difference[] = []
  for (const place of names)
    for (const difference of await differencesOf(place, built.get(place), documents.get(place)))
      found.push({ place, ...difference })
  const stray = strayPaths.map((place) => ({ place, ...whole("is not what the set says") }))
  if (set === undefined || found.length + stray.length > 0) return [...found, ...stray]
  const { publishedAt = "", target, rollback = false } = set
  const isSame = manifestBytes?.equals(formatPointer(asPublished(manifest), publishedAt, target, rollback))
  return isSame ? [] : [{ place: "manifest.json", ...whole(`is not the commit's, or ${byAnother}`) }]
}

/** Whether a commit's documents are those that are served. */
export function hasBytes({ documents }: Served, { snapshots }: Build): boolean {
  return [...documents].every(([name, bytes]) =>
    snapshots.some(({ environment, bytes: own }) => environment === name && bytes.equals(own)),
  )
}

async function differencesOf(
  environment: string,
  built: Buffer | undefined,
  served: Buffer | undefined,
): Promise<readonly Omit<Difference, "place">[]> {
  if (built === undefined) return [whole("is not an environment of the commit")]
  if (served === undefined) return [whole("is not served, or damaged")]
  if (built.equals(served)) return []
  const [before, after] = [entriesOf(built), entriesOf(served)]
  if (before === undefined || after === undefined) return [whole("is not a document of flags")]
  const keys = [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => !sameValue(before.get(key) ?? null, after.get(key) ?? null))
    .sort()
  const changed = keys.filter((key) => before.has(key) && after.has(key))
  const entries = (side: Entries) => changed.map((key) => side.get(key) as FlagEntry)
  const words = await diffWords(environment, entries(before), entries(after))
  const found = keys.map((flag): Omit<Difference, "place"> => {
    const [own, theirs] = [before.get(flag), after.get(flag)]
    if (own === undefined) return { flag, words: ["is served, and not in the commit"] }
    if (theirs === undefined) return { flag, words: ["is in the commit, and not served"] }
    return { flag, words: words.get(flag) ?? valueStep(own, theirs) }
  })
  if (found.length === 0) return [whole(`has the same flags, written differently: ${byAnother}`)]
  return changed.every((flag) => words.has(flag)) ? found : [...found, whole(byAnother)]
}

/** Where bytes differ in what authors do not write, such as ids that are made of rules. */
const byAnother = "another version of Flagstone may have built it"

type Entries = ReadonlyMap<string, FlagEntry & Json>

/** The flags of a document as they are on the wire, by key; `undefined` for what no SDK reads either. */
function entriesOf(document: Buffer): Entries | undefined {
  const text = document.toString("utf8")
  const parsed = isDeep(text) ? undefined : parseSnapshot(text)
  if (parsed?.kind !== "valid") return undefined
  return new Map(parsed.value.flags.map((entry) => [entry.flag.key, entry as FlagEntry & Json]))
}

/** Whether brackets are nested so deep, in texts or not, that walking the values could exhaust the stack. */
function isDeep(text: string): boolean {
  let depth = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1
    if (depth > 1_000) return true
  }
  return false
}

const whole = (words: string): Omit<Difference, "place"> => ({ flag: undefined, words: [words] })
