import { setTimeout as sleep } from "node:timers/promises"
import { parseSnapshot } from "../../sdk/contract/snapshot.ts"
import { parseMoment } from "../../sdk/evaluation/moment.ts"
import { printable } from "../diagnostics/printable.ts"
import { chooseEnvironment } from "../evaluate/choose-environment.ts"
import type { FlagSet } from "../evaluate/flag-set.ts"
import { timedDocument } from "../evaluate/timed-document.ts"
import type { FlagLine, FlagsSince } from "../evaluate/value-history.ts"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { readCommits } from "./commits.ts"
import { shortName } from "./hold.ts"
import { inParallel } from "./in-parallel.ts"
import { openTarget } from "./open-target.ts"
import { publicationAt, publicationsOf, readDocument } from "./publications.ts"
import { readPublished } from "./published.ts"
import type { PublishTarget } from "./target.ts"

/** Which flags of a target are asked for. */
interface AskedPublication {
  /** The environment; `undefined`: the only one. */
  readonly environment: string | undefined
  /** The attribute of the time, which documents do not name; `undefined`: none. */
  readonly clock: string | undefined
}

/**
 * Reads what readers of a target had at a time, or have now, or a revision by its name. The commit's subject is this
 * clone's. Throws `Failure` if the target does not know, or the document is damaged.
 */
export async function readPublishedAt(
  name: string,
  { at, environment: asked, clock }: AskedPublication & { readonly at: string | undefined },
  host: Host,
): Promise<FlagSet> {
  return withTarget(name, host, async (target) => {
    const published = await readPublished(target)
    const { revision, publishedAt } = await publicationAt(target, published, at, host)
    const commit = (await readCommits([revision], host)).get(revision)
    const subject = commit === undefined ? "" : `: ${commit.subject}`
    const found = await readDocument(target, revision, (names) => chooseEnvironment(asked, names))
    if (found === undefined) throw new Error("an environment was chosen that the manifest does not have")
    const words = printable(`${shortName(revision)}, published ${publishedAt}${subject}`)
    const { bytes, environment } = found
    const set = flagSet(bytes, `the document of ${environment}`, environment, clock)
    const asOf = parseMoment(at ?? "")
    return {
      ...{ ...set, origin: { revision, words } },
      ...(set.timed && asOf !== undefined && { timed: { ...set.timed, asOf } }),
    }
  })
}

/** What readers of a target had from each publication on, as far back as it knows. Throws `Failure` as above. */
export async function readPublications(
  name: string,
  { environment: asked, clock }: AskedPublication,
  requestIn: (subject: string) => string | undefined,
  host: Host,
): Promise<FlagLine> {
  return withTarget(name, host, async (target) => {
    const published = await readPublished(target)
    const publications = publicationsOf(published)
    const newest = await publicationAt(target, published, undefined, host)
    const environment = chooseEnvironment(asked, Object.keys(newest.flags))
    const revisions = [...new Set(publications.map(({ revision }) => revision))]
    const commits = await readCommits(revisions, host)
    const sets = new Map(
      await inParallel(revisions, async (revision) => {
        const choose = (names: readonly string[]) => names.find((one) => one === environment)
        const found = await readDocument(target, revision, choose)
        return [
          revision,
          found && flagSet(found.bytes, `${revision}'s document`, environment, clock),
        ] as const
      }),
    )
    const steps = publications.map(({ revision, publishedAt: since, rollback }): FlagsSince => {
      const { author, subject } = commits.get(revision) ?? {}
      const request = subject === undefined ? undefined : requestIn(subject)
      const moment = { since, revision, author, subject, request, ...(rollback && { rollback }) }
      return { moment, flags: sets.get(revision) }
    })
    const keys = [...sets.values()].flatMap((set) => set?.document.flags.map(({ flag }) => flag.key) ?? [])
    const cut = `older changes are unknown: ${target.location} has no older publication`
    return { environment, steps, cut, keys: [...new Set(keys)] }
  })
}

/** The flags of a document. Throws `Failure`, which names the document by `name`, if it is damaged. */
function flagSet(bytes: Uint8Array, name: string, environment: string, clock: string | undefined): FlagSet {
  const parsed = parseSnapshot(Buffer.from(bytes).toString("utf8"))
  if (parsed.kind === "invalid") throw new Failure(`${name} is not a snapshot: ${parsed.reason}`)
  const document = parsed.value
  const timed = clock === undefined ? {} : { timed: timedDocument(document, clock) }
  return { document, environment, locate: () => undefined, ...timed }
}

/** Opens a target, and closes it after `read`. */
async function withTarget<T>(
  name: string,
  host: Host,
  read: (target: PublishTarget) => Promise<T>,
): Promise<T> {
  const target = openTarget(name, { host, sleep })
  try {
    return await read(target)
  } finally {
    await target.close()
  }
}
