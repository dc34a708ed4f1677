import type { KeyObject } from "node:crypto"
import type { Host } from "../host.ts"
import { refuseHeld } from "./hold.ts"
import { type Publication, readBuild } from "./publication.ts"
import { readRevision } from "./publications.ts"
import { nameApart, type Published, readLastManifest } from "./published.ts"
import { refuseDoubtful, refuseOlder, refuseShrinking } from "./refusals.ts"
import type { PublishTarget } from "./target.ts"

/** What to publish, and which checks to skip. */
export interface PublicationChoice {
  /** The folder that `build` wrote. */
  readonly snapshots: string
  /** The revision to go back to, or the beginning of its name; `undefined`: the build. */
  readonly rollback?: string
  readonly allowDirty?: boolean
  readonly allowShallow?: boolean
  readonly allowShrink?: boolean
  readonly allowOlder?: boolean
  /** `undefined`: nothing is signed. */
  readonly signingKey: KeyObject | undefined
}

/** The publication to make current: the build, or an earlier revision. Throws `Failure` if it is refused. */
export async function choosePublication(
  target: PublishTarget,
  published: Published,
  choice: PublicationChoice,
  host: Pick<Host, "git" | "cwd">,
): Promise<Publication> {
  const { rollback, allowDirty: dirty = false, allowShallow: shallow = false } = choice
  if (rollback !== undefined) return readRevision(target, published, rollback, choice.signingKey)
  refuseHeld(published, target)
  const publication = await readBuild(choice.snapshots)
  refuseDoubtful(publication, { dirty, shallow })
  const before = await readLastManifest(target, published)
  if (!choice.allowOlder) await refuseOlder(publication, before, host)
  if (!choice.allowShrink) await refuseShrinking(target, publication, before)
  return nameApart(target, publication)
}
