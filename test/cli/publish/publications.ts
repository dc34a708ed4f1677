import { hash, type KeyObject } from "node:crypto"
import { documentPath, pointerPath, pointerSignaturePath } from "../../../cli/publish/layout.ts"
import { planPublication } from "../../../cli/publish/plan.ts"
import type { Publication } from "../../../cli/publish/publication.ts"
import { carryOut } from "../../../cli/publish/publish.ts"
import { readPublished } from "../../../cli/publish/published.ts"
import type { Rollback } from "../../../cli/publish/revision-index.ts"
import type { PublishTarget } from "../../../cli/publish/target.ts"
import { isSigned } from "../../../proxy/contract/signature.ts"
import { flagEntry } from "../../flag-entry.ts"

/** A revision of one environment with these flags: by key, a string that differs between versions. */
export function publicationOf(revision: string, flags: Readonly<Record<string, string>>): Publication {
  const entries = Object.keys(flags)
    .sort()
    .map((key) => flagEntry(key, 0, false, flags[key]))
  const document = Buffer.from(`${JSON.stringify({ flags: entries })}\n`)
  const sha256 = hash("sha256", document)
  const environment = {
    id: "production",
    file: documentPath(sha256),
    sha256,
    size: document.length,
    flags: entries.length,
  }
  return {
    revision,
    manifest: {
      formatVersion: 1,
      project: "shop",
      revision,
      committedAt: "2026-11-21T09:00:00.000Z",
      environments: { production: environment },
    },
    documents: new Map([["production", document]]),
  }
}

export interface PublishOnce {
  readonly perFlag: boolean
  /** The environment's folder; by default its name. */
  readonly base?: string
  readonly signingKey: KeyObject | undefined
  readonly now: number
  readonly rollback?: Rollback
}

/** As the command does it, without its questions to the user. */
export async function publishOnce(
  target: PublishTarget,
  publication: Publication,
  { perFlag, base = "production", signingKey, now, rollback }: PublishOnce,
): Promise<"sent" | "nothing to send"> {
  const layout = { bases: { production: base }, perFlag }
  const published = await readPublished(target)
  const plan = await planPublication(target, publication, published, { layout, rollback, signingKey, now })
  if (plan === undefined) return "nothing to send"
  await carryOut(target, plan, () => undefined)
  return "sent"
}

/** A publication with its layout. */
export interface LaidOut extends Publication {
  readonly perFlag?: boolean
  readonly base?: string
}

/** The revision that readers have, `undefined` before the first; throws if the files do not fit together. */
export async function readAsReaders(
  target: PublishTarget,
  publications: readonly LaidOut[],
  options: PublishOnce,
): Promise<string | undefined> {
  const pointer = await target.read(pointerPath)
  const { revision } = JSON.parse(pointer?.bytes.toString() ?? "{}")
  const publication = publications.find((each) => each.revision === revision)
  const { perFlag, base } = { base: "production", ...options, ...publication }
  const document = publication?.documents.get("production")
  const wrong: string[] = []
  const expectFile = async (path: string, bytes: Uint8Array | undefined) => {
    const found = (await target.read(path))?.bytes
    if (bytes === undefined ? found !== undefined : found?.equals(bytes) !== true)
      wrong.push(
        `${path}: ${found === undefined ? "missing" : bytes === undefined ? "still there" : "another's"}`,
      )
  }
  const entries: readonly { flag: { key: string } }[] = JSON.parse(
    document?.toString() ?? '{"flags":[]}',
  ).flags
  const keys = new Set(publications.flatMap(({ documents }) => keysOf(documents.get("production"))))
  for (const folder of new Set(["production", base, ...publications.map((each) => each.base ?? base)])) {
    const isThere = folder === base
    await expectFile(`${folder}/v1/flags`, isThere ? document : undefined)
    for (const key of keys) {
      const entry = isThere && perFlag ? entries.find(({ flag }) => flag.key === key) : undefined
      await expectFile(`${folder}/v1/flags/${key}`, entry && Buffer.from(JSON.stringify(entry)))
    }
  }
  wrong.push(...(await findWrongSet(target, options)))
  if (wrong.length > 0) throw new Error(`readers of ${revision} find ${wrong.join(", ")}`)
  return revision
}

/** What is wrong with the set that proxies read. */
export async function findWrongSet(
  target: PublishTarget,
  { signingKey }: Pick<PublishOnce, "signingKey">,
): Promise<readonly string[]> {
  const pointer = (await target.read(pointerPath))?.bytes
  if (pointer === undefined) return []
  const signature = await target.read(pointerSignaturePath)
  const isProved =
    signingKey === undefined || isSigned(pointer, signature?.bytes.toString() ?? "", signingKey)
  const { file, sha256 } = JSON.parse(pointer.toString()).environments.production
  const document = (await target.read(file))?.bytes ?? ""
  return [
    ...(isProved ? [] : ["the manifest's signature does not hold"]),
    ...(hash("sha256", document) === sha256 ? [] : [`${file}: damaged or missing`]),
  ]
}

function keysOf(document: Buffer | undefined): readonly string[] {
  const { flags } = JSON.parse(document?.toString() ?? '{"flags":[]}')
  return flags.map(({ flag }: { flag: { key: string } }) => flag.key)
}
