import { publishedKeyFile } from "../../proxy/contract/key-file.ts"
import type { Manifest } from "../../proxy/contract/manifest.ts"
import { formatPublicKey } from "../../proxy/contract/signature.ts"
import { plural } from "../diagnostics/plural.ts"
import { printable } from "../diagnostics/printable.ts"
import { type ApiLayout, basesOf } from "./api-files.ts"
import type { PathChange } from "./changes.ts"
import type { Commit } from "./commits.ts"
import { describeHold, holdOf } from "./hold.ts"
import type { KeyPlan } from "./key-plan.ts"
import { pointerMaxAge } from "./layout.ts"
import type { Plan, PlanOptions } from "./plan.ts"
import { revisionsOf } from "./publications.ts"
import type { Published } from "./published.ts"
import type { PublishedKeys } from "./published-keys.ts"
import { hasSignature } from "./signatures.ts"
import type { PublishTarget } from "./target.ts"

/** A line for each file of a plan, in their order: `+` new, `~` replaced, `-` removed. */
export function planLines({ immutables, api, index, pointer, signature, published }: Plan): string {
  const lineOf = ({ path, file, stored }: PathChange) =>
    file === undefined
      ? `- ${path}\n`
      : `${stored === undefined ? "+" : "~"} ${path} (${file.bytes.length} bytes)\n`
  const signatures = signature && `${published.signature === undefined ? "+" : "~"} ${signature.path}\n`
  const move = lineOf({ path: pointer.path, file: pointer, stored: published.storedPointer })
  return [
    ...immutables.map(lineOf),
    ...(index === undefined ? [] : [signatures ?? "", move]),
    ...api.map(lineOf),
  ].join("")
}

/** How many files a plan sends and removes besides the pointer. */
export function sentWords({ immutables, api }: Plan): string {
  const removed = api.filter(({ file }) => file === undefined).length
  const sent = `${plural(immutables.length + api.length - removed, "file")} sent`
  return removed === 0 ? sent : `${sent}, ${removed} removed`
}

/** A line for each earlier address of an environment that a publication keeps, or removes. */
export function oldAddressLines(layout: ApiLayout, before: ApiLayout | undefined, address: string): string {
  const lines = Object.keys(layout.bases).flatMap((name) => {
    const [, ...kept] = basesOf(layout, name)
    const gone = before ? basesOf(before, name).filter((base) => !basesOf(layout, name).includes(base)) : []
    return [
      ...kept.map((base) => `${address}/${base} stays until you publish without --keep-addresses\n`),
      ...gone.map((base) => `${address}/${base} goes away: --keep-addresses would keep it\n`),
    ]
  })
  return lines.join("")
}

/** For which key a set is signed, and the address that it names; readers check both. */
export function signedWords({ signingKey, address }: Pick<PlanOptions, "signingKey" | "address">): string {
  if (signingKey === undefined) return ""
  return `, signed for ${formatPublicKey(signingKey)}${address === undefined ? "" : `, at ${printable(address)}`}`
}

/** A line for each file of a plan for keys. */
export function keyPlanLines({ file, signature, published }: KeyPlan): string {
  const signatures = signature && `${published.signature === undefined ? "+" : "~"} ${signature.path}\n`
  const sign = published.stored === undefined ? "+" : "~"
  return `${signatures ?? ""}${sign} ${file.path} (${file.bytes.length} bytes)\n`
}

/** A line about the key file, if there is one. */
export function publishedKeysLine(published: PublishedKeys): string {
  const { stored, file } = published
  if (stored === undefined) return ""
  if (file === undefined) return `  ${publishedKeyFile}  damaged: publish it again with --keys\n`
  const time = file.publishedAt === undefined ? "" : `  published ${new Date(file.publishedAt).toISOString()}`
  const signed = hasSignature(published) ? "signed" : "not signed"
  return `  ${publishedKeyFile}${time}  ${plural(file.keys.length, "key")}, ${signed}\n`
}

/** The revisions, newest first, with author and subject where `commits` has them; a star marks the current one. */
export function revisionLines(published: Published, commits: ReadonlyMap<string, Commit>): string {
  const hold = holdOf(published)
  const held = hold === undefined ? "" : `  held: ${describeHold(hold)}\n`
  const lines = revisionsOf(published)
    .map(({ revision, publishedAt, committedAt, flags }) => {
      const star = revision === published.current?.revision ? "*" : " "
      const counts = Object.entries(flags).map(([environment, count]) => `${printable(environment)} ${count}`)
      const committed = committedAt === undefined ? "not committed" : `committed ${committedAt}`
      const commit = commits.get(revision)
      const made = commit === undefined ? "" : printable(`  ${commit.author}: ${commit.subject}`)
      return `${star} ${revision}  published ${publishedAt}  ${committed}  flags: ${counts.join(", ")}${made}\n`
    })
    .join("")
  return held + lines
}

/** The time from the commit to publication, and from publication to readers of an address. `now` in milliseconds. */
export function timesLine({ committedAt }: Manifest, address: string, now: number): string {
  const [place, cache] = address.includes("://") ? ["URL", "CDN"] : ["folder", "web server's cache"]
  const visible = `proxies that read the ${place} have it within 2 s and notify listeners; a ${cache} in between adds up to ${pointerMaxAge} s`
  if (committedAt === undefined) return `${visible}\n`
  return `committed ${spanWords(now - Date.parse(committedAt))} ago; ${visible}\n`
}

/** A warning if the last publication is over a minute in the future: later ones get times just after it. `now` in milliseconds. */
export function futureLine({ pointer }: Published, { location }: PublishTarget, now: number): string {
  const ahead = pointer === undefined ? 0 : Date.parse(pointer.publishedAt) - now
  if (ahead <= 60_000) return ""
  return `${location} was last published at ${pointer?.publishedAt}, ${spanWords(ahead)} in the future: that publisher's clock is ahead, or this one's is behind; until then, \`flagstone evaluate --published\` does not know what readers had when\n`
}

/** A warning about targets where two publishers can overwrite each other's files. */
export function unconditionalLine({ location }: PublishTarget): string {
  return `${location} ignores conditional writes: run one publisher at a time, and publish again if two ran at once\n`
}

/** Milliseconds in the two largest units that matter. */
export function spanWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`
}
