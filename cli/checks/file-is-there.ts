import { posix } from "node:path"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import type { DataFiles } from "../language/references.ts"

/** A file that another one names, relative to itself. */
export interface NamedFile {
  /** As it is written. */
  readonly written: string
  /** Its path in the flags folder. */
  readonly name: string
  /** `.txt` or `.json`. */
  readonly ending: string
}

/** Why a file that another one names is none, as a sentence; `undefined` if it is there, or its own mistake is reported. */
export function whyNoFile({ written, name, ending }: NamedFile, files: DataFiles): string | undefined {
  if (written.startsWith("/") || name.startsWith("../"))
    return `${quoted(written)} is outside the flags folder. Put the file there, and write its path relative to this file.`
  if (!name.endsWith(ending))
    return `${quoted(written)} must be a \`${ending}\` file${ending === ".txt" ? " with one value a line" : ""}.`
  if (files.get(name) !== undefined || files.isBroken(name)) return undefined
  const folder = posix.dirname(name)
  const others = files.names
    .filter((other) => other.endsWith(ending))
    .map((other) => posix.join(posix.dirname(written), posix.relative(folder, other)))
  const advice = didYouMean(written, others)
  return `There is no file ${quoted(name)} in the flags folder${advice === "" ? ". Links are not followed, nor is a file that `ignore` lists." : advice}`
}
