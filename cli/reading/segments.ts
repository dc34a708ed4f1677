import type { Json } from "../../sdk/contract/snapshot.ts"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
import type { Condition, FlagUse, Reference } from "../language/condition.ts"
import { resolved } from "../language/references.ts"
import { pathFrom } from "./files/read.ts"
import { isListName, listName } from "./list-file.ts"

/** The segments at one point in time, as conditions use them. */
export interface Segments {
  /** The names of all segments, including those with mistakes. */
  readonly names: readonly string[]
  /**
   * What `segment: <name>` means, no larger than any rule may be; `undefined` if there is no such segment, or it or one that
   * it uses has mistakes.
   */
  readonly get: (name: string) => Condition | undefined
  /** The flags that conditions may refer to; absent if none are needed. */
  readonly flags?: OtherFlags
  /** The files that flag files and segment files may name, by path in the flags folder; absent if none are needed. */
  readonly files?: DataFiles
}

/** The files with lists and schemas. */
export interface DataFiles {
  /** Absolute path of the flags folder. */
  readonly folder: string
  readonly names: readonly string[]
  readonly get: (name: string) => SourceFile | undefined
  /** Whether a file has a mistake of its own, which has been reported. */
  readonly isBroken: (name: string) => boolean
}

/** The flags of the project, as a condition of another flag sees them. */
export interface OtherFlags {
  readonly keys: () => readonly string[]
  readonly get: (key: string) => OtherFlag | undefined
  /** What a condition about a flag means; `undefined` if there is no such flag, it has mistakes, or it depends on itself. */
  readonly meaningOf: (use: FlagUse) => Condition | undefined
}

export interface OtherFlag {
  /** False if its file is a segment with the wrong name. */
  readonly isFlag: boolean
  readonly isBoolean: boolean
  /** All values that it can give in any environment. */
  readonly values: readonly Json[]
  /** The values that it can give in one environment. */
  readonly valuesIn: (environment: string) => readonly Json[]
  /** The segments and flags that its conditions refer to in an environment. */
  readonly uses: (environment: string) => readonly Reference[]
}

/** What an editor offers for `segment`. */
export interface SegmentWord {
  readonly name: string
  readonly description: string
}

/** What references mean with these segments and flags. */
export function meaningIn(segments: Segments): (reference: Reference) => Condition | undefined {
  return (reference) => {
    if (reference.kind === "flag") return segments.flags?.meaningOf(reference)
    return isListName(reference.name) ? undefined : segments.get(reference.name)
  }
}

/** The condition with what its references mean, and with the lines of its files. */
export function resolvedIn(segments: Segments, condition: Condition): Condition {
  return resolved(condition, meaningIn(segments), (file) => linesIn(segments, file) ?? [])
}

/** The lines of the file at a path in the flags folder; `undefined` if there is none, or if it cannot be read. */
function linesIn(segments: Segments, file: string): readonly string[] | undefined {
  const list = segments.get(listName(file))
  return list?.kind === "comparison" && typeof list.operand === "object" ? list.operand : undefined
}

/** No segments. */
export const noSegments: Segments = { names: [], get: () => undefined }

/** A file's path in the flags folder; that of an old version is so already. */
export function pathIn({ files }: Segments, { path }: SourceFile): string {
  return files === undefined ? path : pathFrom(files.folder, path)
}
