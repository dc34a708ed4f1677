import type { KeyObject } from "node:crypto"
import { isSigned } from "../contract/signature.ts"
import { broken, type Fault, good, type Result, unavailable } from "./fault.ts"

/** Which published files the proxy accepts. */
export interface Trust {
  /** The public half of the pair that signs published files; `undefined`: they need no signature. */
  readonly publicKey: KeyObject | undefined
  /** Also accepts files that were published before the served ones. */
  readonly allowOlder: boolean
  /** The only `target` that a file may have; `undefined`: the served file's target, if it has one. */
  readonly target?: string | undefined
}

/** Accepts the files of any publisher. */
export const anyone: Trust = { publicKey: undefined, allowOlder: false }

/** A published file's members about its publication, within its signed bytes. */
export interface Imprint {
  /** Milliseconds since the epoch; `undefined`: unknown. */
  readonly publishedAt: number | undefined
  readonly target: string | undefined
}

/**
 * Returns the signature file's bytes if they hold a signature of `bytes`, the content of `file`; `undefined` if none is
 * needed. A file and a signature from different publications are a temporary fault.
 */
export async function proveSigned(
  file: string,
  bytes: Buffer,
  readSignatures: () => Promise<Result<Buffer>>,
  { publicKey }: Trust,
): Promise<Result<Buffer | undefined>> {
  if (publicKey === undefined) return good(undefined)
  const signatures = await readSignatures()
  if (signatures.kind !== "good") return signatures
  if (isSigned(bytes, signatures.value.toString("latin1"), publicKey)) return good(signatures.value)
  return unavailable(
    `${file} is not signed by the key of --verify-key: publish it with FLAGSTONE_SIGNING_KEY`,
  )
}

/**
 * Returns a fault if a file was published before the `served` one, as when the edges of a CDN differ, or if it is signed
 * and was published to a different target: someone who can write to the store, but cannot sign, could put files there
 * that the same key signed for another target, or flags that have been switched off and keys that have been revoked
 * since. `fix` says how to go back on purpose.
 */
export function findReplay(
  file: string,
  imprint: Imprint,
  served: Imprint | undefined,
  { publicKey, allowOlder, target: pinned }: Trust,
  fix: string,
): Fault | undefined {
  const target = pinned ?? served?.target
  if (publicKey !== undefined && target !== undefined && imprint.target !== target)
    return broken(
      imprint.target === undefined
        ? `${file} was published without a target, not to ${target}: publish it with --base-url ${target}`
        : `${file} was published to ${imprint.target}, not to ${target}: if that is intended, name it with --verify-target`,
    )
  const isDated = publicKey !== undefined || imprint.publishedAt !== undefined
  if (!allowOlder && isDated && isOlder(imprint, served))
    return broken(
      `${file}, published at ${formatTime(imprint)}, is older than the one being served: ${fix}, or start with --allow-older`,
    )
  return undefined
}

/** Whether a file was published before the served one. A file without a time is older than one with a time. */
export function isOlder({ publishedAt }: Imprint, served: Imprint | undefined): boolean {
  if (served?.publishedAt === undefined) return false
  return publishedAt === undefined || publishedAt < served.publishedAt
}

function formatTime({ publishedAt }: Imprint): string {
  return publishedAt === undefined ? "an unknown time" : new Date(publishedAt).toISOString()
}
