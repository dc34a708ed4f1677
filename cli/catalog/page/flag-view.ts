import type { Configuration, Flag, FlagEntry } from "../../../sdk/contract/snapshot.ts"
import type { PageCell, PageData, PageFlag, PageReached, PageSetting } from "./page-data.ts"

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
  const { project, projectId, times, values, settings } = data
  const [head] = row.cells
  const key = head?.firstElementChild?.textContent ?? ""
  const id = written.id ?? `${project}/${key}`
  const paragraph = (place: number) => article.getElementsByTagName("p")[place]?.textContent ?? ""
  const name = () => written.name ?? head?.querySelector("small")?.textContent ?? key
  const description = () => written.description ?? paragraph(0)
  const owner = values[ownerOf] as string
  const tags = values[tagsOf] as readonly string[]
  let text: string | undefined
  const entry = (place: number): FlagEntry => ({
    flag: {
      id,
      projectId,
      key,
      name: name(),
      description: description(),
      type: values[typeOf] as "json",
      defaultValue: values[defaultValueOf] ?? null,
      createdAt: timeAt(createdAtOf, data),
      updatedAt: timeAt(updatedAtOf, data),
    },
    environment: configurationOf({ id, key }, cells[place], data.environments[place], data),
  })
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
    entry,
  }
}

/** A flag's configuration in an environment, from its cell there; `null`: it is not configured. */
function configurationOf(
  { id: flagId, key }: Pick<Flag, "id" | "key">,
  cell: PageCell | undefined,
  environment: PageData["environments"][number] | undefined,
  data: PageData,
): Configuration | null {
  const [settingOf = -1, changedAtOf] = cell ?? []
  const [, , , configuration] = data.settings[settingOf] ?? []
  if (configuration === undefined) return null
  const [id, enabled, rulesOf] = configuration
  const { name, id: environmentId } = environment ?? { name: "", id: "" }
  return {
    id: id || `${data.project}/${key}@${name}`,
    flagId,
    environmentId,
    enabled: enabled === 1,
    rules: rulesOf.flatMap((position) => data.rules[position] ?? []),
    updatedAt: timeAt(changedAtOf, data),
  }
}

function timeAt(position: number | undefined, { times }: PageData): string {
  return new Date(times[position ?? -1] ?? 0).toISOString()
}
