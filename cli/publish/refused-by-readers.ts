import type { KeyObject } from "node:crypto"
import { publishedKeyFile } from "../../proxy/contract/key-file.ts"
import { formatPublicKey } from "../../proxy/contract/signature.ts"
import { printable } from "../diagnostics/printable.ts"
import type { Published } from "./published.ts"
import { readPublishedKeys } from "./published-keys.ts"
import { hasSignature, isProved } from "./signatures.ts"
import type { PublishTarget } from "./target.ts"

export interface SignedPublication {
  /** `undefined`: it is not signed, so proxies that verify refuse it anyway. */
  readonly signingKey: KeyObject | undefined
  /** The address that the set names; `undefined`: none. */
  readonly address: string | undefined
  /** Whether keys are sent, too. */
  readonly sendsKeys: boolean
}

/** A line for each reason for which running proxies refuse a signed publication, and what to do. `published` is what it replaces. */
export async function refusalLines(
  target: PublishTarget,
  { pointer, signature }: Published,
  { signingKey, address, sendsKeys }: SignedPublication,
): Promise<string> {
  if (signingKey === undefined) return ""
  const lines: string[] = []
  const isSigned = pointer !== undefined && hasSignature({ signature })
  if (isSigned && !isProved(pointer.stored, signature, signingKey))
    lines.push(
      `this key did not sign the previous set: proxies refuse it until they start with --verify-key ${formatPublicKey(signingKey)}`,
    )
  const before = pointer?.manifest.target
  if (isSigned && before !== undefined && before !== address)
    lines.push(
      `the target was ${printable(before)}: proxies refuse the new one until they start with --verify-target ${address ?? ""}`,
    )
  const keys = sendsKeys ? undefined : await readPublishedKeys(target)
  if (keys?.stored !== undefined && !isProved(keys.stored, keys.signature, signingKey))
    lines.push(`this key did not sign ${publishedKeyFile} there: send it, too, with --keys`)
  else if (keys?.file?.target !== undefined && keys.file.target !== address)
    lines.push(
      `${publishedKeyFile} there names the target ${printable(keys.file.target)}: send it, too, with --keys`,
    )
  return lines.map((line) => `${line}\n`).join("")
}
