import { printable } from "../diagnostics/printable.ts"
import { Failure } from "../failure.ts"
import { type Comparison, compareWith, isSame } from "./compare.ts"
import type { Rebuild } from "./rebuild.ts"
import type { Served } from "./served.ts"

/** The commit that is served, or the one that comes nearest. */
export interface Finding {
  /** With its subject, author and date; `undefined`: this clone has none. */
  readonly commit: { readonly hash: string; readonly words: string } | undefined
  readonly comparison: Comparison
  /** Why it is not what was reviewed, beside differences. */
  readonly faults: readonly string[]
}

/**
 * Builds the commit that is asked for, or that the set names, and compares it with what is served. For the read API, which names
 * none, the newest of the commits on this line that has its bytes. Throws `Failure` if a commit cannot be checked out.
 */
export async function findCommit(
  served: Served,
  asked: string | undefined,
  rebuild: Rebuild,
): Promise<Finding> {
  const { manifest, isSigned } = served
  const isDoubtful = manifest?.dirty || manifest?.shallow
  const faults = [
    ...(isSigned === false ? ["the set is not signed with this key"] : []),
    ...(isDoubtful ? ["the set was built with uncommitted changes, or in a shallow clone"] : []),
  ]
  const nowhere = (fault: string): Finding => ({
    commit: undefined,
    comparison: new Map(),
    faults: [...faults, fault],
  })
  const named = asked ?? manifest?.revision
  if (named === null) return nowhere("the set was built outside git")
  if (named === undefined) return newestAlike(served, rebuild)
  const [hash] = await rebuild.ask(
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${named}^{commit}`,
  )
  if (hash === undefined)
    return nowhere(`this clone has no commit ${printable(named)}: fetch it, or it is not of this repository`)
  const comparison = await comparisonWith(hash, served, rebuild)
  const isReviewed = await rebuild.isBefore(hash)
  return {
    commit: await describe(hash, rebuild),
    comparison,
    faults: isReviewed ? faults : [...faults, "the commit is not in the history of what is checked out here"],
  }
}

/** The newest commit with the bytes of a read API, or else the newest one. */
async function newestAlike(served: Served, rebuild: Rebuild): Promise<Finding> {
  const commits = await rebuild.ask(
    "log",
    "--first-parent",
    `-${mostCommits}`,
    "--format=%H",
    "HEAD",
    "--",
    ".",
  )
  let newest: Finding | undefined
  for (const hash of commits) {
    const comparison = await comparisonWith(hash, served, rebuild)
    const isAlike = isSame(comparison)
    const faults = isAlike
      ? []
      : [`none of the last ${commits.length} commits that change flags has these bytes`]
    if (isAlike || newest === undefined)
      newest = { commit: await describe(hash, rebuild), comparison, faults }
    if (isAlike) break
  }
  if (newest === undefined) throw new Failure("no commit of this clone has flags")
  return newest
}

async function describe(hash: string, rebuild: Rebuild): Promise<Finding["commit"]> {
  const [words = hash] = await rebuild.ask("show", "-s", "--no-color", '--format=%h "%s" (%an, %cI)', hash)
  return { hash, words }
}

async function comparisonWith(commit: string, served: Served, rebuild: Rebuild): Promise<Comparison> {
  const build = await rebuild.build(commit)
  if (build !== undefined) return compareWith(served, build)
  return new Map([["", [{ flag: undefined, words: ["the commit has no flags, or mistakes"] }]]])
}

/** The most commits that are built in search of the bytes of a read API. */
const mostCommits = 200
