import { openCacheFolder } from "../../compile/cache/cache-folder.ts"
import type { Project } from "../../compile/definition/project.ts"
import type { Repository } from "../../compile/history/repository.ts"
import { createCopy } from "./copy-data.ts"
import type { FlagData, FlagPart, FlagParts } from "./flag-part.ts"
import type { PageLists, WrittenLists } from "./page-lists.ts"

/** The parts of flags that an earlier run has made. */
export interface RememberedFlags {
  readonly has: (name: string) => boolean
  /** The part of a name; `undefined`: it is not remembered. The page's lists get what they lack. */
  readonly part: (name: string) => FlagPart | undefined
  /** The keys of the flags that specs are for, by the digests of their texts. */
  readonly specs: ReadonlyMap<string, string>
}

/** The parts in git's own folder, as builds leave their cache there. */
export interface FlagMemory {
  readonly get: (lists: PageLists) => RememberedFlags
  /** Replaces what is there by the parts of a page, where enough of them are new. */
  readonly put: (parts: FlagParts, lists: PageLists) => void
}

export function rememberFlags(repository: Repository, project: Project, isWanted: boolean): FlagMemory {
  if (repository.kind === "outside" || !isWanted) return { get: () => nothing, put: () => {} }
  const folder = openCacheFolder(repository.cacheFolder, project)
  return {
    get(lists) {
      const bytes = folder.get("flags-page")
      return bytes === undefined ? nothing : parse(bytes, lists)
    },
    put({ flags, made, specs }, lists) {
      // To write all parts for a few new ones costs more than to make these few again.
      if (made * 100 < flags.length) return
      folder.put("flags-page", () => write({ flags, specs }, lists))
    },
  }
}

const nothing: RememberedFlags = { has: () => false, part: () => undefined, specs: new Map() }

/** A line of JSON before the HTML of the flags. */
interface Index {
  readonly lists: WrittenLists
  readonly specs: readonly (readonly [digest: string, flag: string])[]
  /** The last two are lengths in bytes. */
  readonly flags: readonly (readonly [
    key: string,
    name: string,
    data: FlagData,
    row: number,
    article: number,
  ])[]
}

function write(
  { flags, specs }: Pick<FlagParts, "flags" | "specs">,
  { times, values, rules, settings, constants }: PageLists,
): readonly Uint8Array[] {
  const index: Index = {
    lists: {
      times: times.all,
      values: values.all,
      rules: rules.all,
      settings: settings.all,
      constants: constants.all,
    },
    specs: specs.map(({ digest, flag }) => [digest, flag]),
    flags: flags.map(({ key, name, data, row, article }) => [key, name, data, row.length, article.length]),
  }
  return [Buffer.from(`${JSON.stringify(index)}\n`), ...flags.flatMap(({ row, article }) => [row, article])]
}

function parse(bytes: Buffer, lists: PageLists): RememberedFlags {
  let at = bytes.indexOf("\n") + 1
  const index: Index = JSON.parse(bytes.toString("utf8", 0, at))
  const copy = createCopy(index.lists, lists)
  const next = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const parts = new Map(
    index.flags.map(([key, name, data, row, article]) => {
      return [name, { key, name, data, row: next(row), article: next(article) }] as const
    }),
  )
  return {
    has: (name) => parts.has(name),
    part(name) {
      const part = parts.get(name)
      return part && { ...part, data: copy(part.data) }
    },
    specs: new Map(index.specs),
  }
}
