import { hash } from "node:crypto"
import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import type { Project } from "../../compile/definition/project.ts"
import { pathFrom } from "../../compile/read/read.ts"
import type { SourceFile } from "../../diagnostics/diagnostic.ts"
import { flagOfSpec } from "../../specs/read-spec.ts"
import type { FlagSource } from "../versions/flag-source.ts"
import type { FlagParts } from "./flag-part.ts"
import type { FlagReader } from "./flag-reader.ts"
import type { ListedFlag } from "./list-flags.ts"
import type { PageLists } from "./page-lists.ts"
import { createPartMaker } from "./part-maker.ts"
import type { RememberedFlags } from "./remembered-flags.ts"

/** What the parts of the flags are read from. */
export interface FlagPartsRequest {
  readonly project: Project
  /** The flags folder's path from the top of the repository: `""`, or with a `/` at its end. */
  readonly prefix: string
  readonly listed: readonly ListedFlag[]
  readonly specs: readonly SourceFile[]
  readonly read: FlagReader
  readonly remembered: RememberedFlags
  readonly lists: PageLists
  readonly compileExpression: CompileExpression
}

/**
 * The parts of all flags, in their order: those that are remembered, and the others, newly made. In that order they fill
 * the page's lists, so that the same flags give the same lists, whichever are remembered.
 */
export async function readFlagParts(request: FlagPartsRequest): Promise<FlagParts> {
  const { project, prefix, listed, read, remembered } = request
  const specs = readSpecs(request)
  const byFlag = Map.groupBy(specs, ({ flag }) => flag)
  const named = listed.map((flag) => {
    const path = prefix + pathFrom(project.folder, flag.file.source.path)
    const own = byFlag.get(flag.key)?.map(({ digest }) => digest) ?? []
    const name = nameOf(flag, path, own)
    return { ...flag, path, name, source: remembered.has(name) ? undefined : read(flag.file) }
  })
  const wanted = named.filter(isWanted)
  const makePart = await createPartMaker(wanted, {
    ...request,
    specs: wanted.flatMap(({ key }) => byFlag.get(key)?.map(({ source }) => source) ?? []),
  })
  const flags = named.flatMap((flag) =>
    isWanted(flag) ? makePart(flag) : (remembered.part(flag.name) ?? []),
  )
  return { flags, made: wanted.length, specs }
}

function isWanted<Flag extends { readonly source: FlagSource | undefined }>(
  flag: Flag,
): flag is Flag & { readonly source: FlagSource } {
  return flag.source !== undefined
}

function readSpecs({ specs, remembered }: FlagPartsRequest) {
  return specs.map((source) => {
    const digest = hash("sha256", source.text)
    return { source, digest, flag: remembered.specs.get(digest) ?? flagOfSpec(source) }
  })
}

/** Equal for flags about which the page says the same: it contains all that a part depends on. */
function nameOf({ file, times, segmentsDigest }: ListedFlag, path: string, specs: readonly string[]): string {
  let own = `${file.blob} ${path} ${times.createdAt} ${times.updatedAt}`
  for (const [environment, at] of times.configurations) own += ` ${environment} ${at}`
  return [own, segmentsDigest, ...specs].join(" ")
}
