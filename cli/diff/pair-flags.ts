import type { Project } from "../compile/definition/project.ts"
import { canonicalJson } from "../compile/meaning/canonical-json.ts"
import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import { compareText } from "../diagnostics/diagnostic.ts"

/** The flags of one revision; those alone that may differ from the other's are needed. */
export interface Side {
  /** `undefined`: there is no project, so nothing is defined. */
  readonly project: Project | undefined
  readonly flags: readonly ResolvedFlag[]
}

/** One flag on two sides. */
export type FlagPair =
  | { readonly kind: "added"; readonly after: ResolvedFlag }
  | { readonly kind: "removed"; readonly before: ResolvedFlag }
  | { readonly kind: "kept" | "renamed"; readonly before: ResolvedFlag; readonly after: ResolvedFlag }

/**
 * Which flag became which, by key; sorted by the newer key; the very same object on both sides is left out. A flag that
 * went and one that came are one renamed flag where their definitions are equal and no other flag that came or went has
 * the same.
 */
export function pairFlags(before: Side, after: Side): readonly FlagPair[] {
  const olds = new Map(before.flags.map((flag) => [flag.flag.key, flag]))
  const news = new Map(after.flags.map((flag) => [flag.flag.key, flag]))
  const gone = group(
    before.flags.filter(({ flag }) => !news.has(flag.key)),
    before.project,
  )
  const come = group(
    after.flags.filter(({ flag }) => !olds.has(flag.key)),
    after.project,
  )
  const pairs: FlagPair[] = []
  for (const [key, flag] of news) {
    const old = olds.get(key)
    if (old !== undefined && old !== flag) pairs.push({ kind: "kept", before: old, after: flag })
  }
  for (const [signature, flags] of come) {
    const [old, another] = gone.get(signature) ?? []
    const [flag] = flags
    if (old !== undefined && another === undefined && flag !== undefined && flags.length === 1) {
      pairs.push({ kind: "renamed", before: old, after: flag })
      gone.delete(signature)
    } else {
      for (const each of flags) pairs.push({ kind: "added", after: each })
    }
  }
  for (const flag of [...gone.values()].flat()) pairs.push({ kind: "removed", before: flag })
  return pairs.sort((a, b) => compareText(keyOf(a), keyOf(b)))
}

function group(flags: readonly ResolvedFlag[], project: Project | undefined) {
  return Map.groupBy(flags, (flag) => signatureOf(flag, project))
}

/** Text that is equal for two flags that differ in their keys, and what is made of keys, alone. */
function signatureOf({ flag, configurations }: ResolvedFlag, project: Project | undefined): string {
  const base = `${project?.name}/${flag.key}`
  return canonicalJson([
    flag.id === base ? null : flag.id,
    flag.name === flag.key ? null : flag.name,
    flag.description,
    flag.type,
    flag.defaultValue,
    Object.fromEntries(
      [...configurations].map(([environment, { id, enabled, rules }]) => [
        environment,
        [id === `${base}@${environment}` ? null : id, enabled, rules.map((rule) => ({ ...rule }))],
      ]),
    ),
  ])
}

function keyOf(pair: FlagPair): string {
  return (pair.kind === "removed" ? pair.before : pair.after).flag.key
}
