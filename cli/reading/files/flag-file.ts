import type { SourceFile } from "../../diagnostics/diagnostic.ts"
import { blobId } from "./blob-id.ts"

/** A file of the project, and the id that git gives its text. */
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

/** What a file's meaning depends on: its text and its path, which may be its key, and where files beside it are. */
export function identityOf(blob: string, path: string): string {
  return `${blob} ${path}`
}
