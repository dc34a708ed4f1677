import { openCacheFolder } from "../../compile/cache/cache-folder.ts"
import type { Project } from "../../compile/definition/project.ts"
import type { Repository } from "../../compile/history/repository.ts"
import type { PageData } from "../page-data.ts"
import { createCopy } from "./copy-data.ts"
import type { FlagData, FlagPart, FlagParts } from "./flag-part.ts"
import type { PageLists, WrittenLists } from "./page-lists.ts"

/** The parts of flags that an earlier run has made. */
export interface RememberedFlags {
  /** By the part's name. */
  readonly flags: ReadonlyMap<string, FlagPart>
  /** The keys of the flags that specs are for, by the digests of their texts. */
  readonly specs: ReadonlyMap<string, string>
}

/** The parts in git's own folder, as builds leave their cache there. */
export interface FlagMemory {
  readonly get: (lists: PageLists) => RememberedFlags
  /** Replaces what is there by the parts of a page, where enough of them are new. */
  readonly put: (parts: FlagParts, data: PageData, lists: PageLists) => void
}

export function rememberFlags(repository: Repository, project: Project, isWanted: boolean): FlagMemory {
  if (repository.kind === "outside" || !isWanted) return { get: () => nothing, put: () => {} }
  const folder = openCacheFolder(repository.cacheFolder, project)
  return {
    get(lists) {
      const bytes = folder.get("flags-page")
      return bytes === undefined ? nothing : parse(bytes, lists)
    },
    put({ flags, made, specs }, data, lists) {
      // To write all parts for a few new ones costs more than to make these few again.
      if (made * 100 < flags.length) return
      folder.put("flags-page", () => write({ flags, specs }, data, lists))
    },
  }
}

const nothing: RememberedFlags = { flags: new Map(), specs: new Map() }

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
  data: PageData,
  { times, values, rules, settings, constants }: PageLists,
): readonly Uint8Array[] {
  const pieces = flags.map(({ row, article }) =>
    [row, article].map((piece) => ("markup" in piece ? Buffer.from(piece.markup) : piece)),
  )
  const index: Index = {
    lists: {
      times: times.all,
      values: values.all,
      rules: rules.all,
      settings: settings.all,
      constants: constants.all,
    },
    specs: specs.map(({ digest, flag }) => [digest, flag]),
    flags: flags.map(({ key, name }, at) => {
      const [row = 0, article = 0] = pieces[at]?.map(({ length }) => length) ?? []
      return [key, name, dataOf(data.flags[at] as PageData["flags"][number]), row, article]
    }),
  }
  return [Buffer.from(`${JSON.stringify(index)}\n`), ...pieces.flat()]
}

/** What the page knows of a flag, without its history. */
function dataOf(flag: PageData["flags"][number]): FlagData {
  const [createdAt, updatedAt, type, defaultValue, owner, tags, expires, isTested, cells, , ...written] = flag
  return [[createdAt, updatedAt, type, defaultValue, owner, tags, expires, isTested, cells], ...written]
}

function parse(bytes: Buffer, lists: PageLists): RememberedFlags {
  let at = bytes.indexOf("\n") + 1
  const index: Index = JSON.parse(bytes.toString("utf8", 0, at))
  const copy = createCopy(index.lists, lists)
  const next = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const parts = index.flags.map(
    ([key, name, data, row, article]): FlagPart => ({
      key,
      name,
      row: next(row),
      article: next(article),
      data: () => copy(data),
    }),
  )
  return { flags: new Map(parts.map((part) => [part.name, part])), specs: new Map(index.specs) }
}
