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
  readonly signingKey: KeyObject | undefined
  readonly now: number
  readonly rollback?: Rollback
}

/** As the command does it, without its questions to the user. */
export async function publishOnce(
  target: PublishTarget,
  publication: Publication,
  { perFlag, signingKey, now, rollback }: PublishOnce,
): Promise<"sent" | "nothing to send"> {
  const layout = { bases: { production: "production" }, perFlag }
  const published = await readPublished(target)
  const plan = await planPublication(target, publication, published, { layout, rollback, signingKey, now })
  if (plan === undefined) return "nothing to send"
  await carryOut(target, plan, () => undefined)
  return "sent"
}

/** The revision that readers have, `undefined` before the first; throws if the files do not fit together. */
export async function readAsReaders(
  target: PublishTarget,
  publications: readonly Publication[],
  { perFlag, signingKey }: PublishOnce,
): Promise<string | undefined> {
  const pointer = await target.read(pointerPath)
  const { revision } = JSON.parse(pointer?.bytes.toString() ?? "{}")
  const publication = publications.find((each) => each.revision === revision)
  const document = publication?.documents.get("production")
  const wrong: string[] = []
  const expectFile = async (path: string, bytes: Uint8Array | undefined) => {
    const found = (await target.read(path))?.bytes
    if (bytes === undefined ? found !== undefined : found?.equals(bytes) !== true)
      wrong.push(
        `${path}: ${found === undefined ? "missing" : bytes === undefined ? "still there" : "another's"}`,
      )
  }
  if (document !== undefined) await expectFile(documentPath(hash("sha256", document)), document)
  await expectFile("production/v1/flags", document)
  const keys = new Set(publications.flatMap(({ documents }) => keysOf(documents.get("production"))))
  const entries: readonly { flag: { key: string } }[] = JSON.parse(
    document?.toString() ?? '{"flags":[]}',
  ).flags
  for (const key of keys) {
    const entry = entries.find(({ flag }) => flag.key === key)
    const bytes = perFlag && entry ? Buffer.from(JSON.stringify(entry)) : undefined
    await expectFile(`production/v1/flags/${key}`, bytes)
  }
  const signature = await target.read(pointerSignaturePath)
  if (signingKey && pointer && !isSigned(pointer.bytes, signature?.bytes.toString() ?? "", signingKey))
    wrong.push("the manifest's signature does not hold")
  if (wrong.length > 0) throw new Error(`readers of ${revision} find ${wrong.join(", ")}`)
  return revision
}

function keysOf(document: Buffer | undefined): readonly string[] {
  const { flags } = JSON.parse(document?.toString() ?? '{"flags":[]}')
  return flags.map(({ flag }: { flag: { key: string } }) => flag.key)
}
