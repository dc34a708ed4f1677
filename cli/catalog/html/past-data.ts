import type { DescribedCommit, GivenByVersion } from "../history/described-commit.ts"
import type { PagePast, PageVersion } from "../page/page-data.ts"

/** How many versions of a flag before today's the page can evaluate. */
export const mostVersions = 20

/** A version of a flag, and the position of the commit that made it. */
interface Version {
  readonly commitOf: number
  readonly gives: GivenByVersion
}

/**
 * The versions of each flag that the page evaluates, by key. A flag that was removed begins anew, and so does one that no longer
 * depends on other flags, of which the earlier values are unknown. `toPage` puts a version into the page's lists.
 */
export function pastOfFlags(
  commits: readonly DescribedCommit[],
  toPage: (version: GivenByVersion) => PageVersion,
  place: (version: PageVersion) => number,
): (key: string) => PagePast {
  const known = new Map<string, { isWhole: boolean; versions: Version[] }>()
  for (const [commitOf, commit] of commits.entries())
    for (const { flag, gives } of commit.versions) {
      if (gives === "gone") known.delete(flag)
      else if (gives === "dependent") known.set(flag, { isWhole: false, versions: [] })
      else {
        const line = known.get(flag) ?? { isWhole: true, versions: [] }
        line.versions.push({ commitOf, gives })
        known.set(flag, line)
      }
    }
  return (key) => {
    const { isWhole, versions } = known.get(key) ?? { isWhole: false, versions: [] }
    const [newest, ...older] = versions.toReversed()
    if (newest === undefined) return []
    const kept = older.slice(0, mostVersions)
    return [
      isWhole && kept.length === older.length ? 1 : 0,
      newest.commitOf,
      ...kept.map(({ commitOf, gives }) => [place(toPage(gives)), commitOf] as const),
    ]
  }
}
