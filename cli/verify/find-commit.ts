import { plural } from "../diagnostics/plural.ts"
import { printable } from "../diagnostics/printable.ts"
import { Failure } from "../failure.ts"
import { commitTime } from "../history/time-text.ts"
import { compareWith, type Difference, hasBytes } from "./compare.ts"
import type { Rebuild } from "./rebuild.ts"
import type { Served } from "./served.ts"

/** The commit that is served, or the one that comes nearest. */
export interface Finding {
  /** With its subject, author and date, and how many newer ones change flags; `undefined`: this clone has none. */
  readonly commit: { readonly hash: string; readonly words: string } | undefined
  readonly differences: readonly Difference[]
  /** Why it is not what was reviewed, beside differences. */
  readonly faults: readonly string[]
}

/**
 * Builds the commit that is asked for, or that the set names, and compares it with what is served. For the read API, which names
 * none, the newest of the commits on this line that has its bytes.
 */
export async function findCommit(
  served: Served,
  asked: string | undefined,
  rebuild: Rebuild,
): Promise<Finding> {
  const { manifest, isSigned } = served
  const faults = [
    ...(isSigned === false ? ["the set is not signed with this key"] : []),
    ...(manifest?.dirty ? ["the set was built with uncommitted changes"] : []),
    ...(manifest?.shallow ? ["the set was built in a shallow clone"] : []),
  ]
  if (asked === undefined && manifest === undefined) return newestAlike(served, rebuild)
  const named = asked ?? manifest?.revision ?? ""
  const isCommit = asked !== undefined || /^[0-9a-f]{40,64}$/.test(named)
  const [hash] = isCommit
    ? await rebuild.ask("rev-parse", "--verify", "--quiet", "--end-of-options", `${named}^{commit}`)
    : []
  if (hash === undefined && asked !== undefined)
    throw new Failure(`this clone has no commit ${printable(asked)}`)
  if (hash === undefined) {
    const fault = isCommit
      ? `this clone has no commit ${named}: fetch it, or it is not of this repository`
      : "the set names no commit"
    return { commit: undefined, differences: [], faults: [...faults, fault] }
  }
  const line = await rebuild.ask("rev-list", "--first-parent", "HEAD")
  if (!line.includes(hash))
    faults.push("the commit is not in the first-parent history of what is checked out here")
  return {
    commit: await describe(hash, rebuild),
    differences: await compareWith(served, await rebuild.build(hash)),
    faults,
  }
}

/**
 * The newest commit with the bytes of a read API, or else the newest one. The newest time in a document is that of a commit, and no
 * older commit can have it.
 */
async function newestAlike(served: Served, rebuild: Rebuild): Promise<Finding> {
  const args = ["log", "--first-parent", `-${mostCommits}`, "--format=%H %ct", "HEAD", "--", "."]
  const log = (await rebuild.ask(...args)).map((line) => line.split(" "))
  const time = newestTime(served)
  const last = log.findLastIndex(([, seconds]) => commitTime(seconds) === time)
  const commits = log.slice(0, last === -1 ? undefined : last + 1)
  for (const [hash = ""] of commits) {
    const build = await rebuild.build(hash)
    if (build !== undefined && hasBytes(served, build))
      return { commit: await describe(hash, rebuild), differences: [], faults: [] }
  }
  const [[newest = ""] = []] = commits
  if (newest === "") throw new Failure("no commit of this clone has flags")
  return {
    commit: await describe(newest, rebuild),
    differences: await compareWith(served, await rebuild.build(newest)),
    faults: [`none of the last ${commits.length} commits that change flags has these bytes`],
  }
}

function newestTime({ documents }: Served): number {
  const times = [...documents.values()].flatMap((document) => [
    ...document.toString("utf8").matchAll(/"(?:created|updated)At":"([^"]*)"/g),
  ])
  return times.reduce((newest, [, time = ""]) => Math.max(newest, Date.parse(time)), 0)
}

async function describe(hash: string, rebuild: Rebuild): Promise<Finding["commit"]> {
  const show = ["show", "-s", "--abbrev=10", "--no-color", '--format=%h "%s" (%an, %cI)']
  const [words = hash] = await rebuild.ask(...show, hash)
  const [count = "0"] = await rebuild.ask("rev-list", "--first-parent", "--count", `${hash}..HEAD`, "--", ".")
  const newer = Number(count) === 0 ? "" : `; ${plural(Number(count), "newer commit")} changed flags`
  return { hash, words: printable(words) + newer }
}

/** The most commits that are built in search of the bytes of a read API. */
const mostCommits = 200
