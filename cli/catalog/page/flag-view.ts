import type { FlagEntry } from "../../../proxy/contract/snapshot.ts"
import type { PageCell, PageChange, PageData, PageFlag } from "../page-data.ts"

/** A flag of the page's data, by names. */
export interface FlagView {
  readonly key: string
  /** The key, name, description, owner and tags in small letters. */
  readonly text: string
  readonly owner: string
  readonly tags: readonly string[]
  readonly expires: string
  readonly type: string
  readonly createdAt: string
  readonly path: string
  readonly isTested: boolean
  readonly cells: readonly PageCell[]
  readonly history: readonly PageChange[]
  /** When the cell of an environment changed last; of one that is not configured, `""`. */
  readonly changedAt: (environment: number) => string
  /** The entry of an environment, as SDKs get it. */
  readonly entry: (environment: number) => FlagEntry
}

/** Reads a flag of the page's data. */
export function flagView(flag: PageFlag, data: PageData): FlagView {
  const [key, ownId, name, description, type, defaultValue, createdAtOf, updatedAtOf, owner, tags] = flag
  const [, , , , , , , , , , expires, path, isTested, cells, history] = flag
  const { project, projectId, environments, times, rules } = data
  const id = ownId || `${project}/${key}`
  const time = (at: number) => times[at] ?? ""
  return {
    key,
    text: [key, name, description, owner, ...tags].join("\n").toLowerCase(),
    owner,
    tags,
    expires,
    type,
    createdAt: time(createdAtOf),
    path,
    isTested: isTested === 1,
    cells,
    history,
    changedAt: (at) => time(cells[at]?.[3]?.[3] ?? -1),
    entry(at) {
      const [, , , configuration] = cells[at] ?? []
      const { name: environment = "", id: environmentId = "" } = environments[at] ?? {}
      return {
        flag: {
          id,
          projectId,
          key,
          name: name || key,
          description,
          type: type as "json",
          defaultValue,
          createdAt: time(createdAtOf),
          updatedAt: time(updatedAtOf),
        },
        environment:
          configuration === undefined
            ? null
            : {
                id: configuration[0] || `${project}/${key}@${environment}`,
                flagId: id,
                environmentId,
                enabled: configuration[1] === 1,
                rules: configuration[2].flatMap((one) => rules[one] ?? []),
                updatedAt: time(configuration[3]),
              },
      }
    },
  }
}
