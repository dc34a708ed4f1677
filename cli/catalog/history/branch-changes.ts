import { compareSides } from "../../diff/diff.ts"
import { findFlagsFolder, readEndpoints, timeOf } from "../../diff/revisions/endpoints.ts"
import { filesAt } from "../../diff/revisions/files-at.ts"
import { leaveOutBroken, type NotCompared } from "../../diff/sides/leave-out-broken.ts"
import { openSides } from "../../diff/sides/open-sides.ts"
import { Failure } from "../../failure.ts"
import { filesOf, type Input } from "../../project/input.ts"
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
export async function readBranchChanges(base: string, input: Input): Promise<BranchChanges> {
  const { project, repository } = input
  if (repository.kind === "outside") throw new Failure("--base needs a git repository that has a commit")
  const { git } = repository
  const flags = await findFlagsFolder(project.folder, git)
  const { before, after: head } = await readEndpoints(`${base}...HEAD`, undefined, flags, git)
  const opened = await openSides(await filesAt(before, flags, git), filesOf(input))
  const sides = leaveOutBroken(opened.before, opened.after)
  const { changes } = await compareSides(sides.before, sides.after, {
    now: await timeOf(head, 0, flags, git),
  })
  const { notCompared } = sides
  return { base, changes: describeFlagChanges(changes), ...(notCompared && { notCompared }) }
}
