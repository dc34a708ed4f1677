import { parseManifest } from "../../proxy/contract/manifest.ts"
import { Failure } from "../failure.ts"
import { type ApiLayout, apiFiles, basesOf, flagsOf } from "./api-files.ts"
import { inParallel } from "./in-parallel.ts"
import { apiPath, baseOf, manifestPath, notFoundPath } from "./layout.ts"
import type { Publication } from "./publication.ts"
import { damaged, type Published, readIntact } from "./published.ts"
import type { PublishedRevision } from "./revision-index.ts"
import type { PublishTarget } from "./target.ts"

/** The API paths that may have a file of one of the index's publications. */
export async function readKnownPaths(
  target: PublishTarget,
  { index }: Pick<Published, "index">,
): Promise<readonly string[]> {
  const paths = await inParallel(index.revisions, (one) => readPaths(target, one))
  return [...new Set([notFoundPath, ...paths.flat()])]
}

/** The API paths of a publication, if they are still known. */
async function readPaths(
  target: PublishTarget,
  { revision, layout }: PublishedRevision,
): Promise<readonly string[]> {
  if (layout === undefined) return []
  const names = Object.keys(layout.bases)
  const lists = names.flatMap((name) => basesOf(layout, name).map((base) => apiPath(base)))
  if (!layout.perFlag) return lists
  const stored = await target.read(manifestPath(revision))
  const manifest = stored && parseManifest(stored.bytes.toString("utf8"))
  if (manifest?.kind !== "valid") return lists
  const documents = await readIntact(target, manifest.value.environments)
  return [...lists, ...apiFiles(documents, layout).keys()]
}

/** The API's files of the current revision, by path. Throws `Failure` if they cannot be determined. */
export async function readCurrentApi(
  target: PublishTarget,
  { pointer, current }: Published,
): Promise<ReadonlyMap<string, Buffer>> {
  const { environments } = pointer?.manifest ?? {}
  if (environments === undefined || current?.layout === undefined)
    throw new Failure(`${target.location}: its files do not show which revision was current`)
  const documents = await readIntact(target, environments)
  for (const [environment, { file }] of Object.entries(environments))
    if (!documents.has(environment)) throw damaged(target, file)
  return apiFiles(documents, current.layout)
}

/**
 * The current layout of the API's paths; `undefined` if it is unknown. If the index does not know the pointer's, it is
 * `usual` if the lists are there, and the first flag shows whether flags have their own files.
 */
export async function readApiLayout(
  target: PublishTarget,
  { pointer, current, index }: Published,
  usual: ApiLayout["bases"],
): Promise<ApiLayout | undefined> {
  if (current?.layout !== undefined || pointer === undefined) return (current ?? index.revisions[0])?.layout
  const documents = await readIntact(target, pointer.manifest.environments)
  for (const [name, document] of documents) {
    const base = usual[name]
    if (base === undefined || (await target.read(apiPath(base))) === undefined) return undefined
    const [key] = flagsOf(document).keys()
    if (key !== undefined)
      return { bases: usual, perFlag: (await target.read(apiPath(base, key))) !== undefined }
  }
  return undefined
}

/** Each environment's folder with this path secret, by environment name. */
export function usualBases({ manifest }: Publication, secret: string | undefined): ApiLayout["bases"] {
  const names = Object.keys(manifest.environments)
  return Object.fromEntries(names.map((name) => [name, baseOf(manifest.project, name, secret)]))
}

/**
 * A rollback changes the flags but not the addresses, even on a machine with different variables. Earlier addresses stay
 * only in a rollback or if they are kept; per-flag files stay until `--no-per-flag`.
 */
export function chooseApiLayout(
  usual: ApiLayout["bases"],
  before: ApiLayout | undefined,
  options: { readonly rollback?: string; readonly perFlag?: boolean; readonly keepAddresses?: boolean },
): ApiLayout {
  const isRollback = options.rollback !== undefined
  const bases: Record<string, string> = {}
  const oldBases: Record<string, readonly string[]> = {}
  for (const [name, base] of Object.entries(usual)) {
    bases[name] = (isRollback ? before?.bases[name] : undefined) ?? base
    const old = before && (isRollback || options.keepAddresses) ? basesOf(before, name) : []
    const others = old.filter((other) => other !== bases[name])
    if (others.length > 0) oldBases[name] = others
  }
  return {
    bases,
    ...(Object.keys(oldBases).length > 0 && { oldBases }),
    perFlag: options.perFlag ?? before?.perFlag === true,
  }
}
