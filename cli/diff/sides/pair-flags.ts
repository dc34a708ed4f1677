import type { Project } from "../../compile/definition/project.ts"
import { canonicalJson } from "../../compile/meaning/canonical-json.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import { compareText } from "../../diagnostics/diagnostic.ts"
import type { Side } from "./side.ts"

/** One flag on two sides. */
export type FlagPair =
  | { readonly kind: "added"; readonly after: ResolvedFlag }
  | { readonly kind: "removed"; readonly before: ResolvedFlag }
  | FlagOnBothSides

export interface FlagOnBothSides {
  readonly kind: "kept" | "renamed"
  readonly before: ResolvedFlag
  readonly after: ResolvedFlag
}

/**
 * Says which flag became which, by key, sorted by the key after the change. A pair of the very same object is left out.
 * A flag was renamed where one with its definition is gone, one has come, and no other flag that is gone or has come
 * has that definition.
 */
export function pairFlags(before: Side, after: Side): readonly FlagPair[] {
  const beforeByKey = new Map(before.flags.map((flag) => [flag.flag.key, flag]))
  const afterByKey = new Map(after.flags.map((flag) => [flag.flag.key, flag]))
  const gone = groupBySignature(
    before.flags.filter(({ flag }) => !afterByKey.has(flag.key)),
    before.project,
  )
  const come = groupBySignature(
    after.flags.filter(({ flag }) => !beforeByKey.has(flag.key)),
    after.project,
  )
  const pairs: FlagPair[] = []
  for (const [key, flag] of afterByKey) {
    const previous = beforeByKey.get(key)
    if (previous !== undefined && previous !== flag)
      pairs.push({ kind: "kept", before: previous, after: flag })
  }
  for (const [signature, flags] of come) {
    const [previous, another] = gone.get(signature) ?? []
    const [flag] = flags
    if (previous !== undefined && another === undefined && flag !== undefined && flags.length === 1) {
      pairs.push({ kind: "renamed", before: previous, after: flag })
      gone.delete(signature)
    } else {
      for (const each of flags) pairs.push({ kind: "added", after: each })
    }
  }
  for (const flag of [...gone.values()].flat()) pairs.push({ kind: "removed", before: flag })
  return pairs.sort((a, b) => compareText(keyOf(a), keyOf(b)))
}

function groupBySignature(flags: readonly ResolvedFlag[], project: Project | undefined) {
  return Map.groupBy(flags, (flag) => signatureOf(flag, project))
}

/** Text that is equal for two flags that differ only in their keys and in what their keys give. */
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
