import {
  type KeyFile,
  parseKeyFile,
  publishedKeyFile,
  publishedKeySignature,
} from "../../proxy/contract/key-file.ts"
import type { PublishTarget, StoredFile } from "./target.ts"

/** The key file of a target. */
export interface PublishedKeys {
  /** `undefined`: it has none. */
  readonly stored: StoredFile | undefined
  /** The key file's content; `undefined`: there is none, or it is damaged, and the next publication replaces it. */
  readonly file: KeyFile | undefined
  /** The signature file; an empty one belonged to an earlier key file. */
  readonly signature: StoredFile | undefined
}

export async function readPublishedKeys(target: PublishTarget): Promise<PublishedKeys> {
  const [stored, signature] = await Promise.all([
    target.read(publishedKeyFile),
    target.read(publishedKeySignature),
  ])
  const parsed = stored && parseKeyFile(stored.bytes.toString("utf8"))
  return { stored, signature, file: parsed?.kind === "valid" ? parsed.value : undefined }
}

/** Whether the key file was signed, by any key. */
export function areKeysSigned({ signature }: PublishedKeys): boolean {
  return signature !== undefined && signature.bytes.length > 0
}
