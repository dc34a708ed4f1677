import type { Diff } from "./diff.ts"

/** Where code refers to flags that are removed or renamed; paths are relative to the folder of the diff's paths. */
export interface CodeReferences {
  /** How many files were searched. */
  readonly files: number
  readonly flags: readonly { readonly flag: string; readonly references: readonly Place[] }[]
}

/** A place in the code, or a constant in it, that has a flag's key. */
export interface Place {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly kind: string
  /** The constant that the reference goes through, and where that is defined. */
  readonly constant?: string
}

/** The keys of removed and renamed flags, which clients no longer get. */
export function keysThatGo({ changes }: Diff): readonly string[] {
  return changes.flatMap((change) =>
    change.kind === "flag-removed" ? change.flag : change.kind === "flag-renamed" ? change.from : [],
  )
}
