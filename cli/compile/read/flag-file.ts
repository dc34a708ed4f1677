import type { SourceFile } from "../../diagnostics/diagnostic.ts"
import { blobId } from "./blob-id.ts"
import { keyOfFile } from "./file-names.ts"

/** A flag file or a segment file, and the id that git gives its text. */
export interface FlagFile {
  readonly source: SourceFile
  readonly blob: string
}

/** The files with the ids that git gives their texts in a repository. */
export function toFlagFiles(
  sources: readonly SourceFile[],
  algorithm: "sha1" | "sha256",
): readonly FlagFile[] {
  return sources.map((source) => ({ source, blob: blobId(source.text, algorithm) }))
}

/** What a flag file's meaning depends on: its text and, if that sets no key, the file's name. */
export function identityOf(blob: string, path: string): string {
  return `${blob} ${keyOfFile(path)}`
}
