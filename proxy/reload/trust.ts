import type { KeyObject } from "node:crypto"
import { isSigned } from "../contract/signature.ts"
import { broken, type Fault, good, type Result, unavailable } from "./fault.ts"

/** Whose published files the proxy accepts. */
export interface Trust {
  /** The public half of the pair that signs published files. */
  readonly publicKey: KeyObject
  /** Also accepts what was published before what is served. */
  readonly allowOlder: boolean
  /** The only `target` that a file may have; `undefined`: that of what is served, if it has one. */
  readonly target?: string | undefined
}

/** A published file's members about its publication, within its signed bytes. */
export interface Imprint {
  /** Milliseconds since the epoch; `undefined`: it does not say. */
  readonly publishedAt: number | undefined
  readonly target: string | undefined
}

/**
 * The signature file's bytes, if they hold a signature of `bytes`, which are those of `file`. A file and signatures from
 * different moments are a fault that passes.
 */
export function proveSigned(
  file: string,
  bytes: Buffer,
  signatures: Result<Buffer>,
  { publicKey }: Trust,
): Result<Buffer> {
  if (signatures.kind !== "good") return signatures
  if (isSigned(bytes, signatures.value.toString("latin1"), publicKey)) return good(signatures.value)
  return unavailable(
    `${file} is not signed by the key of --verify-key: publish it with FLAGSTONE_SIGNING_KEY`,
  )
}

/**
 * A fault if a signed file was published to another place than the one that is `served`, or before it: someone who can
 * write to the store, but cannot sign, could put there what the same key signed for elsewhere, or flags that were
 * switched off and keys that were revoked since. `fix` says how to go back on purpose.
 */
export function findReplay(
  file: string,
  imprint: Imprint,
  served: Imprint | undefined,
  { allowOlder, target: pinned }: Trust,
  fix: string,
): Fault | undefined {
  const target = pinned ?? served?.target
  if (target !== undefined && imprint.target !== target)
    return broken(
      `${file} was published to ${imprint.target ?? "a place that it does not name"}, not to ${target}: if you mean that, name it with --verify-target`,
    )
  if (!allowOlder && isOlder(imprint, served))
    return broken(
      `${file} was published at ${formatTime(imprint)}, before the one that is served: ${fix}, or start with --allow-older`,
    )
  return undefined
}

/** Whether a file was published before the one that is served. One without a time is older than one with a time. */
export function isOlder({ publishedAt }: Imprint, served: Imprint | undefined): boolean {
  if (served?.publishedAt === undefined) return false
  return publishedAt === undefined || publishedAt < served.publishedAt
}

function formatTime({ publishedAt }: Imprint): string {
  return publishedAt === undefined ? "an unknown time" : new Date(publishedAt).toISOString()
}
