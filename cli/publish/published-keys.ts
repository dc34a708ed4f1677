import {
  type KeyFile,
  parseKeyFile,
  publishedKeyFile,
  publishedKeySignature,
} from "../../proxy/contract/key-file.ts"
import type { SignedFile } from "./signatures.ts"
import type { PublishTarget } from "./target.ts"

/** The key file of a target. */
export interface PublishedKeys extends SignedFile {
  /** The key file's content; `undefined`: there is none, or it is damaged, and the next publication replaces it. */
  readonly file: KeyFile | undefined
}

export async function readPublishedKeys(target: PublishTarget): Promise<PublishedKeys> {
  const [stored, signature] = await Promise.all([
    target.read(publishedKeyFile),
    target.read(publishedKeySignature),
  ])
  const parsed = stored && parseKeyFile(stored.bytes.toString("utf8"))
  return { stored, signature, file: parsed?.kind === "valid" ? parsed.value : undefined }
}
