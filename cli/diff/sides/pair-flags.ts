import { compareText } from "../../diagnostics/diagnostic.ts"
import { isForEveryone } from "../../flag/outcomes.ts"
import { canonicalJson } from "../../language/canonical-json.ts"
import type { Flag } from "../../language/flag.ts"
import type { Project } from "../../reading/project.ts"
import type { Side } from "./side.ts"
import { withoutSeeds, withWrittenSeeds } from "./written-seeds.ts"

/** One flag on two sides. */
export type FlagPair =
  | { readonly kind: "added"; readonly after: Flag }
  | { readonly kind: "removed"; readonly before: Flag }
  | FlagOnBothSides

export interface FlagOnBothSides {
  readonly kind: "kept" | "renamed"
  readonly before: Flag
  readonly after: Flag
}

/** The sides of a flag by which its users can be compared: of one that was renamed, with the seeds that its keys stand for. */
export function comparable(pair: FlagOnBothSides): FlagOnBothSides {
  if (pair.kind === "kept") return pair
  return { ...pair, before: withWrittenSeeds(pair.before), after: withWrittenSeeds(pair.after) }
}

/** The flags of a side, and the part of its project that ids are made from. */
interface NamedSide extends Pick<Side, "flags"> {
  readonly project: Pick<Project, "name"> | undefined
}

/**
 * Pairs flags by key, sorted by the key after the change. A pair of the very same object is left out. A flag was renamed if
 * exactly one flag with its definition, apart from seeds, was removed and exactly one was added. Where there are several, or the
 * definition says little, the keys decide.
 */
export function pairFlags(before: NamedSide, after: NamedSide): readonly FlagPair[] {
  const beforeByKey = new Map(before.flags.map((flag) => [flag.key, flag]))
  const afterByKey = new Map(after.flags.map((flag) => [flag.key, flag]))
  const gone = before.flags.filter(({ key }) => !afterByKey.has(key))
  const come = after.flags.filter(({ key }) => !beforeByKey.has(key))
  const pairs: FlagPair[] = []
  for (const [key, flag] of afterByKey) {
    const previous = beforeByKey.get(key)
    if (previous !== undefined && previous !== flag)
      pairs.push({ kind: "kept", before: previous, after: flag })
  }
  const renamed: FlagOnBothSides[] = []
  // Those whose users keep their values are found first, then those with the same text, then those with different seeds.
  for (const signature of [withWrittenSeeds, undefined, withoutSeeds]) {
    const isOpen = (flag: Flag) => !renamed.some((pair) => pair.before === flag || pair.after === flag)
    const [left, found] = [gone.filter(isOpen), come.filter(isOpen)]
    if (left.length === 0 || found.length === 0) break
    renamed.push(
      ...pairRenamed(
        groupBySignature(left, before.project, signature),
        groupBySignature(found, after.project, signature),
      ),
    )
  }
  const paired = new Set(renamed.flatMap((pair) => [pair.before, pair.after]))
  for (const flag of come) if (!paired.has(flag)) pairs.push({ kind: "added", after: flag })
  for (const flag of gone) if (!paired.has(flag)) pairs.push({ kind: "removed", before: flag })
  return [...pairs, ...renamed].sort((a, b) => compareText(keyOf(a), keyOf(b)))
}

function pairRenamed(
  gone: ReadonlyMap<string, readonly Flag[]>,
  come: ReadonlyMap<string, readonly Flag[]>,
): readonly FlagOnBothSides[] {
  return [...come].flatMap(([signature, found]) => {
    const left = gone.get(signature) ?? []
    const [before, after] = [left[0], found[0]]
    if (before === undefined || after === undefined || left.length * found.length > mostCompared) return []
    if (left.length === 1 && found.length === 1 && saysMuch(after)) return [asRenamed(before, after)]
    return pairByKeys(left, found)
  })
}

const asRenamed = (before: Flag, after: Flag) => ({ kind: "renamed", before, after }) as const

/** Of pairs of flags with one definition: a second's work. */
const mostCompared = 100_000

/** Whether two flags are unlikely to share this definition by chance: one that is off, or gives everyone a value, is like many others. */
function saysMuch({ description, configurations }: Flag): boolean {
  return description !== "" || [...configurations.values()].some(({ rules }) => !rules.every(isForEveryone))
}

/** Pairs of flags that have the most similar keys from both sides, if they are similar at all. */
function pairByKeys(left: readonly Flag[], found: readonly Flag[]): readonly FlagOnBothSides[] {
  const nearest = new Map<Flag, { readonly likeness: number; readonly other: Flag | undefined }>()
  const offer = (flag: Flag, other: Flag, likeness: number) => {
    const best = nearest.get(flag)?.likeness ?? leastLikeness
    if (likeness > best) nearest.set(flag, { likeness, other })
    else if (likeness === best) nearest.set(flag, { likeness, other: undefined })
  }
  const keys = found.map((after) => ({ after, parts: partsOf(after.key) }))
  for (const before of left) {
    const parts = partsOf(before.key)
    for (const one of keys) {
      const likeness = likenessOf(parts, one.parts)
      offer(before, one.after, likeness)
      offer(one.after, before, likeness)
    }
  }
  return left.flatMap((before) => {
    const after = nearest.get(before)?.other
    return after !== undefined && nearest.get(after)?.other === before ? [asRenamed(before, after)] : []
  })
}

/** A key that loses less than three quarters of itself stays similar. */
const leastLikeness = 0.4

/** The pairs of neighbours in a key, without case and separators. */
function partsOf(key: string): ReadonlySet<string> {
  const text = key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")
  return new Set(Array.from(text, (character, at) => character + (text[at + 1] ?? "")))
}

/** How much two keys have in common, from 0 to 1. */
function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((part) => other.has(part)).length
  return (2 * common) / (one.size + other.size)
}

/** A flag with its seeds written in one way. */
type Spelling = (flag: Flag) => Flag

function groupBySignature(
  flags: readonly Flag[],
  project: NamedSide["project"],
  spelling: Spelling | undefined,
) {
  return Map.groupBy(flags, (flag) => signatureOf(flag, project, spelling))
}

/**
 * A string that is equal for two flags that differ only in their keys and in what is made from them, such as the ids of rules
 * whose seeds are spelled in a different way.
 */
function signatureOf(resolved: Flag, project: NamedSide["project"], spelling: Spelling | undefined): string {
  const flag = spelling?.(resolved) ?? resolved
  const base = `${project?.name}/${flag.key}`
  return canonicalJson([
    flag.id === base ? null : flag.id,
    flag.name === flag.key ? null : flag.name,
    flag.description,
    flag.type ?? "boolean",
    flag.defaultValue,
    Object.fromEntries(
      [...flag.configurations].map(([environment, { id, enabled, rules }]) => [
        environment,
        [
          id === `${base}@${environment}` ? null : id,
          enabled,
          rules.map(({ sent }) => (spelling === undefined ? { ...sent } : { ...sent, id: null })),
        ],
      ]),
    ),
  ])
}

function keyOf(pair: FlagPair): string {
  return (pair.kind === "removed" ? pair.before : pair.after).key
}
