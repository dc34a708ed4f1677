import type { KeyObject } from "node:crypto"
import { printable } from "../diagnostics/printable.ts"
import { Failure } from "../failure.ts"
import type { Published } from "./published.ts"
import { hasSignature, isProved } from "./signatures.ts"
import type { PublishTarget } from "./target.ts"

/** Where readers find a target. */
export interface ReadersAddress {
  /** What the manifest and the key file name as their `target`; `undefined`: nothing. */
  readonly named: string | undefined
  /** The base address to print. */
  readonly shown: string
}

export interface AddressChoice {
  readonly baseUrl?: string
  /** Whether `baseUrl` may differ from what the published set names. */
  readonly newBaseUrl?: boolean
  readonly signingKey: KeyObject | undefined
}

/**
 * The address where readers find the target: `baseUrl`, else the one that the published set names, else the target's own.
 * Throws `Failure` if proxies would refuse a new name that may be a mistake, or if the key that is used now has not signed
 * the name in the set: someone who can write to the store, but not sign, could otherwise have a set signed for a
 * different place.
 */
export function chooseAddress(
  target: PublishTarget,
  published: Published,
  { baseUrl, newBaseUrl = false, signingKey }: AddressChoice,
): ReadersAddress {
  const { pointer, signature, index } = published
  // A folder's path means nothing to readers, and differs between CI runs.
  const own = URL.canParse(target.address) ? target.address : undefined
  const before = pointer === undefined ? index.revisions[0]?.target : pointer.manifest.target
  const address = baseUrl ?? before ?? own
  const isTrusted = address === baseUrl || address === own || isProved(pointer?.stored, signature, signingKey)
  if (signingKey !== undefined && !isTrusted)
    throw new Failure(
      `${target.location} was published with the target ${printable(before ?? "")}, which this key has not signed: confirm or change it with --base-url`,
    )
  const isNew = baseUrl !== undefined && before !== undefined && baseUrl !== before
  if (signingKey !== undefined && hasSignature(published) && isNew && !newBaseUrl)
    throw new Failure(
      `${target.location} was published with the target ${printable(before)}, and proxies with --verify-key refuse any other: if it has moved to ${baseUrl}, add --new-base-url`,
    )
  // Without a signature a name proves nothing, and readers would see it: only one that is already there is kept.
  const isNamed = signingKey !== undefined || before !== undefined
  return { named: isNamed ? address : undefined, shown: printable(address ?? target.address) }
}
