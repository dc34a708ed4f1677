import { printable } from "../diagnostics/printable.ts"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { indexPath, pointerPath, privateFile } from "./layout.ts"
import { outrun } from "./outrun.ts"
import type { Publication } from "./publication.ts"
import { type Published, readPublished } from "./published.ts"
import {
  formatIndex,
  type Hold,
  isHold,
  maxReasonLength,
  type PublishedRevision,
  type Rollback,
  withoutHold,
} from "./revision-index.ts"
import { writeIf } from "./send.ts"
import type { PublishTarget } from "./target.ts"

/** The rollback in force at a target; `undefined`: it is not held. */
export function holdOf({ current }: Published): Hold | undefined {
  return current !== undefined && isHold(current) ? current : undefined
}

/**
 * Describes a rollback for others. One that is repeated, to repair the target or to send different keys, keeps who
 * rolled back and why unless a new reason is given.
 */
export async function describeRollback(
  published: Published,
  { revision }: Publication,
  reason: string | undefined,
  host: Pick<Host, "git" | "cwd" | "env">,
): Promise<Rollback> {
  const held = published.current?.revision === revision ? holdOf(published)?.rollback : undefined
  if (held !== undefined && reason === undefined) return held
  const from = held?.from ?? published.current?.revision ?? revision
  return { from, by: await readName(host), ...(reason !== undefined && { reason }) }
}

/** Throws `Failure` if the target is held. Any commit is refused: a newer one still has the mistake unless someone fixed it. */
export function refuseHeld(published: Published, target: PublishTarget): void {
  const hold = holdOf(published)
  if (hold === undefined) return
  const command = `flagstone publish ${target.location}`
  const readers =
    published.pointer === undefined
      ? `${target.location}/${pointerPath} is missing or damaged; \`${command} --rollback ${hold.revision}\` writes it again`
      : `readers keep ${shortName(hold.revision)}`
  throw new Held(
    `${target.location} is held: ${describeHold(hold)}\n${readers}; once the cause is fixed, run \`${command} --resume\` and publish again`,
  )
}

/** The target is held. */
export class Held extends Failure {}

/** Lifts a target's hold and publishes nothing; returns the lifted hold. Throws `Failure` if another publisher interferes. */
export async function liftHold(target: PublishTarget): Promise<PublishedRevision | undefined> {
  const published = await readPublished(target)
  const hold = holdOf(published)
  if (hold === undefined) return undefined
  const file = privateFile(indexPath, formatIndex(withoutHold(published.index, hold)))
  await writeIf(target, file, { replaces: published.storedIndex })
  if (holdOf(await readPublished(target)) !== undefined) throw outrun(target)
  return hold
}

/** Who rolled back, from what, when and why, without a full stop. A rollback to what readers had only stops changes. */
export function describeHold({ revision, rollback: { from, by, reason }, publishedAt }: Hold): string {
  const why = reason === undefined ? "" : `: ${printable(reason)}`
  const what = from === revision ? "stopped changes" : `rolled back from ${shortName(from)}`
  return `${printable(by)} ${what} at ${publishedAt}${why}`
}

/** A revision's name with the commit cut to 10 digits. */
export function shortName(revision: string): string {
  return revision.replace(/^([0-9a-f]{10})[0-9a-f]{30,54}/, "$1")
}

/** The name of whoever runs this: CI's account, else the name that git would commit with, else the machine's user. */
async function readName({ git, cwd, env }: Pick<Host, "git" | "cwd" | "env">): Promise<string> {
  const ident = async () => (await git(["var", "GIT_COMMITTER_IDENT"], { cwd })).stdout.toString()
  const name =
    env.GITHUB_ACTOR ||
    env.GITLAB_USER_NAME ||
    (await ident().catch(() => "")).replace(/ <[^<>]*> \d+ [+-]\d+\s*$/, "") ||
    env.USER ||
    env.USERNAME ||
    "someone"
  return name.slice(0, maxReasonLength)
}
