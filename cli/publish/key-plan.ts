import type { KeyObject } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import {
  maxKeyFileLength,
  parseKeyFile,
  publishedKeyFile,
  publishedKeySignature,
} from "../../proxy/contract/key-file.ts"
import type { KeyRecord } from "../../proxy/contract/key-record.ts"
import { Failure } from "../failure.ts"
import { formatKey } from "../keys/edit-keys.ts"
import { revalidatedFile } from "./layout.ts"
import { outrun } from "./outrun.ts"
import type { PublishedKeys } from "./published-keys.ts"
import { holds, sendIf } from "./send.ts"
import { hasSignature, isProved, signAfter } from "./signatures.ts"
import type { PublishedFile, PublishTarget } from "./target.ts"

/** Everything that must be done at a target to publish a key file. */
export interface KeyPlan {
  /** What the target had when the plan was made. */
  readonly published: PublishedKeys
  readonly file: PublishedFile
  /** `undefined`: the file is not signed, and never was. */
  readonly signature: PublishedFile | undefined
}

export interface KeyPlanOptions {
  readonly signingKey: KeyObject | undefined
  /** Where readers find the target, for the key file; `undefined`: unknown. */
  readonly address: string | undefined
  /** Wall clock, milliseconds since the epoch. */
  readonly now: number
}

/**
 * Plans what to change at a target; `undefined`: nothing, because it already has these keys. The key file records its
 * address and the time of its publication, which is later than the previous one even if the publishers' clocks differ;
 * whoever signs believes only a time that the same key signed. Throws `Failure` if proxies would not read it.
 */
export function planKeys(
  keys: readonly KeyRecord[],
  published: PublishedKeys,
  { signingKey, address, now }: KeyPlanOptions,
): KeyPlan | undefined {
  const before = published.file?.publishedAt
  if (before !== undefined) {
    const same = formatKeyFile(keys, before, address)
    const isThere = published.stored?.bytes.equals(same) === true
    const isSigned = signingKey
      ? isProved(published.stored, published.signature, signingKey)
      : !hasSignature(published)
    if (isThere && isSigned) return undefined
  }
  const isBelieved = signingKey === undefined || isProved(published.stored, published.signature, signingKey)
  const earliest = isBelieved && before !== undefined ? before + 1 : 0
  const bytes = formatKeyFile(keys, Math.max(now, earliest), address)
  refuseUnreadable(bytes, keys)
  const signatures = signAfter(bytes, published, signingKey)
  return {
    published,
    file: revalidatedFile(publishedKeyFile, bytes),
    signature: signatures && revalidatedFile(publishedKeySignature, signatures),
  }
}

/**
 * Carries a plan out: first the signatures of the new file and the previous one, then the file. Throws `Failure` if
 * another publisher interfered: the target is then either consistent, or refused by proxies, which keep the keys that
 * they have.
 */
export async function sendKeys(target: PublishTarget, plan: KeyPlan): Promise<void> {
  const { file, signature, published } = plan
  if (signature && !(await sendIf(target, signature, { replaces: published.signature }))) throw outrun(target)
  if (!(await sendIf(target, file, { replaces: published.stored }))) throw outrun(target)
  // Stores without conditional writes may have taken another publisher's signatures meanwhile.
  if (signature && !(await holds(target, signature))) throw outrun(target)
}

function formatKeyFile(keys: readonly KeyRecord[], publishedAt: number, address: string | undefined): Buffer {
  const lines = [
    "# Sent by `flagstone publish --keys`. Change the key file that it was made from.",
    `publishedAt: ${new Date(publishedAt).toISOString()}`,
    ...(address === undefined ? [] : [`target: ${JSON.stringify(address)}`]),
    keys.length === 0 ? "keys: []" : "keys:",
    ...keys.flatMap((key) => formatKey(key, 2)),
  ]
  return Buffer.from(lines.map((line) => `${line}\n`).join(""))
}

/** Throws `Failure` if proxies would not read it: the layout may be longer than the author's. */
function refuseUnreadable(bytes: Buffer, keys: readonly KeyRecord[]): void {
  if (bytes.length > maxKeyFileLength)
    throw new Failure(
      `the keys take ${bytes.length} bytes, and proxies read at most ${maxKeyFileLength}; remove keys that expired long ago`,
    )
  const parsed = parseKeyFile(bytes.toString())
  if (parsed.kind === "invalid" || !isDeepStrictEqual(parsed.value.keys, keys))
    throw new Error("the key file does not read back as the same keys")
}
