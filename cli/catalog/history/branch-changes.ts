import { compareSides } from "../../diff/diff.ts"
import { findFlagsFolder, readEndpoints } from "../../diff/revisions/endpoints.ts"
import { readTree } from "../../diff/revisions/tree.ts"
import { compileSides } from "../../diff/sides/compile-sides.ts"
import { leaveOutBroken, type NotCompared } from "../../diff/sides/leave-out-broken.ts"
import { Failure } from "../../failure.ts"
import type { Input } from "../../project/input.ts"
import { describeFlagChanges } from "./describe-changes.ts"
import type { DescribedChange } from "./described-commit.ts"

/** What a branch changes about the flags. */
export interface BranchChanges {
  /** The base, as the user named it. */
  readonly base: string
  /** By flag key. */
  readonly changes: readonly DescribedChange[]
  /** What is not compared because it has errors at the base; absent: nothing. */
  readonly notCompared?: NotCompared
}

/**
 * Compares the work tree with the commit at which its branch left `base`, without flags that have errors there. Throws
 * `Failure` if there is no such commit.
 */
export async function readBranchChanges(
  base: string,
  { project: { folder }, repository }: Input,
): Promise<BranchChanges> {
  if (repository.kind === "outside") throw new Failure("--base needs a git repository that has a commit")
  const { git } = repository
  const flags = await findFlagsFolder(folder, git)
  const { before } = await readEndpoints(`${base}...HEAD`, undefined, flags, git)
  const workTree = await readTree({ kind: "work-tree", name: "the work tree" }, flags, git)
  const compiled = await compileSides(await readTree(before, flags, git), workTree, folder)
  const sides = leaveOutBroken(compiled.before, compiled.after)
  const { changes } = await compareSides(sides.before, sides.after)
  const { notCompared } = sides
  return { base, changes: describeFlagChanges(changes), ...(notCompared && { notCompared }) }
}
