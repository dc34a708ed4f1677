import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { openSide } from "../diff/sides/open-sides.ts"
import type { Flag } from "../language/flag.ts"
import { folderFiles, withTexts } from "../project/files.ts"
import { conditionsIn } from "../reading/conditions-in-file.ts"
import { promoteFlag } from "./promote-flag.ts"

/**
 * The flags in the work tree that depend on other flags, as they would be once all flags are promoted: a build copies
 * the other flag's rules in the same environment into them.
 */
export async function promoteDependents(
  flags: readonly Flag[],
  from: string,
  to: string,
  folder: string,
): Promise<ReadonlyMap<string, Flag>> {
  const dependents = new Set<string>()
  const edited: SourceFile[] = []
  for (const flag of flags) {
    const promotion = promoteFlag(flag, { from, to, own: "replace", share: undefined })
    if (promotion.kind === "edited") edited.push(promotion.source)
    else if (promotion.kind !== "same") continue
    if ([...conditionsIn(flag)].some(({ kind }) => kind === "flag")) dependents.add(flag.key)
  }
  if (dependents.size === 0) return new Map()
  const after = await openSide(withTexts(folderFiles(folder), edited))
  return new Map(after.flags.flatMap((one) => (dependents.has(one.key) ? [[one.key, one]] : [])))
}
