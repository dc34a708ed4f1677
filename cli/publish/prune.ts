import { parseManifest } from "../../proxy/contract/manifest.ts"
import { Failure } from "../failure.ts"
import {
  documentPath,
  immutableFile,
  indexPath,
  manifestPath,
  manifestSignaturePath,
  privateFile,
} from "./layout.ts"
import { revisionsOf } from "./publications.ts"
import { readPublished } from "./published.ts"
import { distinctRevisions, formatIndex, withoutRevisions } from "./revision-index.ts"
import { holds, sendIf } from "./send.ts"
import type { PublishedFile, PublishTarget } from "./target.ts"

/**
 * Removes all but the `keep` newest revisions that readers had, with the documents that only they need, and returns the number of
 * removed revisions. A revision leaves the index only when its files are gone, so the next run completes an interrupted
 * one. Throws `Failure` if a kept manifest is damaged or another publisher interferes.
 */
export async function prune(target: PublishTarget, keep: number): Promise<number> {
  const published = await readPublished(target)
  const { index, storedIndex, current, pending } = published
  if (current === undefined || storedIndex === undefined || pending.length > 0) return 0
  const kept = new Set(
    revisionsOf(published)
      .slice(0, keep)
      .map(({ revision }) => revision),
  )
  const all = distinctRevisions(index.revisions).map(({ revision }) => revision)
  const dropped = all.filter((revision) => !kept.has(revision))
  if (dropped.length === 0) return 0
  const needed = new Set<string>()
  for (const revision of kept) {
    const digests = await digestsOf(target, revision)
    if (digests === undefined)
      throw new Failure(
        `${target.location}: ${manifestPath(revision)} is damaged, so nothing was removed; publish that commit again`,
      )
    for (const digest of digests) needed.add(digest)
  }

  for (const revision of dropped) {
    const digests = (await digestsOf(target, revision)) ?? []
    const documents = digests.filter((digest) => !needed.has(digest)).map(documentPath)
    const removed = await removeAll(target, documents)
    // A publisher that has written the index since then may rely on these documents; one that writes it later sees
    // that they are gone.
    if (!(await holds(target, { path: indexPath, bytes: storedIndex.bytes }))) {
      for (const file of removed) await target.write(file)
      throw meanwhile(target)
    }
    await target.remove(manifestPath(revision))
    await target.remove(manifestSignaturePath(revision))
  }
  const rest = privateFile(indexPath, formatIndex(withoutRevisions(index, current, new Set(dropped))))
  if (!(await sendIf(target, rest, { replaces: storedIndex }))) throw meanwhile(target)
  return dropped.length
}

/** Returns the removed files, so that they can be put back. */
async function removeAll(target: PublishTarget, paths: readonly string[]): Promise<readonly PublishedFile[]> {
  const removed: PublishedFile[] = []
  for (const path of paths) {
    const stored = await target.read(path)
    if (stored === undefined) continue
    removed.push(immutableFile(path, stored.bytes))
    await target.remove(path)
  }
  return removed
}

function meanwhile({ location }: PublishTarget): Failure {
  return new Failure(`${location}: another publisher is publishing there; the next --keep removes the rest`)
}

/** The digests of the documents that a revision's manifest names, if it is there; `undefined`: it is damaged. */
async function digestsOf(target: PublishTarget, revision: string): Promise<readonly string[] | undefined> {
  const stored = await target.read(manifestPath(revision))
  if (stored === undefined) return []
  const manifest = parseManifest(stored.bytes.toString("utf8"))
  if (manifest.kind !== "valid") return undefined
  return Object.values(manifest.value.environments).map(({ sha256 }) => sha256)
}
