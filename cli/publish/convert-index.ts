import { isObject } from "../../sdk/contract/parsed.ts"

interface OldRevision {
  readonly publishedAt: string
  readonly earlier?: readonly string[]
}

interface OldClaim {
  readonly revision: string
  readonly publishedAt: string
  readonly target?: string
  readonly rollback?: object
  readonly oldBases?: Readonly<Record<string, string | readonly string[]>>
}

/**
 * The publications of an index of format 1 or 2, not yet validated: it listed revisions, with all times at which each
 * became current, and apart from them claims, with the layouts of paths that may have a file.
 */
export function convertIndex({ claims, revisions }: Readonly<Record<string, unknown>>): readonly object[] {
  const published = objects<OldRevision>(revisions).flatMap(({ publishedAt, earlier = [], ...revision }) =>
    [publishedAt, ...earlier].map((time) => ({ ...revision, publishedAt: time })),
  )
  const claimed = objects<OldClaim>(claims).map(({ revision, publishedAt, target, rollback, ...layout }) => {
    const found = published.find((entry) => entry.publishedAt === publishedAt)
    const old = Object.entries(layout.oldBases ?? {}).map(([name, bases]) => [name, [bases].flat()])
    return {
      ...(found ?? { flags: {}, isLost: true }),
      ...{ revision, publishedAt, target, rollback },
      layout: { ...layout, ...(old.length > 0 && { oldBases: Object.fromEntries(old) }) },
    }
  })
  const times = new Set(claimed.map(({ publishedAt }) => publishedAt))
  const before = published.filter(({ publishedAt }) => !times.has(publishedAt))
  return [...claimed, ...before.toSorted((a, b) => Date.parse(b.publishedAt) - Date.parse(a.publishedAt))]
}

/** Their members are validated after the conversion. */
function objects<Item>(list: unknown): readonly Item[] {
  if (!Array.isArray(list) || !list.every(isObject)) throw new Error("its lists are not valid")
  return list as Item[]
}
