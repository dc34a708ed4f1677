import type { FlagEntry } from "../../../proxy/contract/snapshot.ts"
import type { PageData, PageFlag, PageReached, PageSetting } from "./page-data.ts"

/** A flag from the page's data, with named members, its row and its details. */
export interface FlagView {
  readonly row: HTMLTableRowElement
  readonly article: HTMLElement
  readonly key: string
  /** The key, name, description, owner and tags in lower case. */
  readonly text: string
  readonly name: string
  readonly owner: string
  readonly tags: readonly string[]
  readonly expires: string
  readonly type: string
  /** Milliseconds since 1970, for the flag's own members. */
  readonly createdAt: number
  readonly updatedAt: number
  /** The `constant` of cells that give everyone the default. */
  readonly defaultConstant: number
  /** How long it must be unchanged to be stale, in milliseconds. */
  readonly staleAfter: number
  /** Whether a branch changes it. */
  readonly isChanged: boolean
  readonly path: string
  readonly isTested: boolean
  /** One for each environment. */
  readonly cells: readonly CellView[]
  /** Its changes, oldest first. */
  readonly history: PageFlag[9]
  /** The entry of an environment, as SDKs get it. */
  readonly entry: (environment: number) => FlagEntry
}

/** What a flag does in one environment. */
export interface CellView {
  readonly state: PageSetting[0]
  /** Equal for cells that give everyone the same value; -1: it depends on the context. */
  readonly constant: number
  readonly isEnabled: boolean
  /** When its configuration last changed or was removed, in milliseconds since 1970; `undefined`: there never was one. */
  readonly changedAt: number | undefined
  /** What specs and witnesses show: for each rule, then for the default. */
  readonly reached: readonly PageReached[]
}

/** Reads a flag by its position: from the page what it shows, and the rest from its data. */
export function flagView(
  at: number,
  row: HTMLTableRowElement,
  article: HTMLElement,
  data: PageData,
): FlagView {
  const flag = data.flags[at] as PageFlag
  const [createdAtOf, updatedAtOf, typeOf, defaultValueOf, ownerOf, tagsOf, expiresOf] = flag
  const [, , , , , , , isTested, cells, history, defaultConstant, staleAfter, written = {}] = flag
  const { project, projectId, environments, times, values, rules, settings } = data
  const time = (of: number | undefined) => new Date(times[of ?? -1] ?? 0).toISOString()
  const [head] = row.cells
  const key = head?.firstElementChild?.textContent ?? ""
  const id = written.id ?? `${project}/${key}`
  const paragraph = (place: number) => article.getElementsByTagName("p")[place]?.textContent ?? ""
  const name = () => written.name ?? head?.querySelector("small")?.textContent ?? key
  const description = () => written.description ?? paragraph(0)
  const owner = values[ownerOf] as string
  const tags = values[tagsOf] as readonly string[]
  let text: string | undefined
  return {
    row,
    article,
    key,
    get text() {
      text ??= [key, name(), description(), owner, ...tags].join("\n").toLowerCase()
      return text
    },
    get name() {
      return name()
    },
    owner,
    tags,
    expires: values[expiresOf] as string,
    type: values[typeOf] as string,
    createdAt: times[createdAtOf] ?? 0,
    updatedAt: times[updatedAtOf] ?? 0,
    defaultConstant,
    staleAfter: staleAfter ?? Number.POSITIVE_INFINITY,
    isChanged: at < data.changed,
    get path() {
      return written.path ?? paragraph(1)
    },
    isTested: isTested === 1,
    cells: cells.map(([settingOf, changedAtOf]): CellView => {
      const [state = "none", constant = -1, reached = [], configuration] = settings[settingOf] ?? []
      const changedAt = changedAtOf === undefined ? undefined : times[changedAtOf]
      return { state, constant, reached, changedAt, isEnabled: configuration?.[1] === 1 }
    }),
    history,
    entry(place) {
      const [settingOf = -1, changedAtOf] = cells[place] ?? []
      const [, , , configuration] = settings[settingOf] ?? []
      const { name: environment = "", id: environmentId = "" } = environments[place] ?? {}
      return {
        flag: {
          id,
          projectId,
          key,
          name: name(),
          description: description(),
          type: values[typeOf] as "json",
          defaultValue: values[defaultValueOf] ?? null,
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
                updatedAt: time(changedAtOf),
              },
      }
    },
  }
}
