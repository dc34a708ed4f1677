import { hash } from "node:crypto"
import type { CompiledFiles } from "../../compile/history/compiled-files.ts"
import type { FlagTimes } from "../../compile/history/timeline.ts"
import type { FlagFile } from "../../compile/read/flag-file.ts"
import { compareText } from "../../diagnostics/diagnostic.ts"

/** A flag of the catalogue. */
export interface ListedFlag {
  readonly key: string
  readonly file: FlagFile
  readonly times: FlagTimes
  /** A digest of what it means with the segments that it uses; `""`: it uses none. */
  readonly segmentsDigest: string
}

/** The flags by key. */
export function listFlags({ flags, history }: CompiledFiles): readonly ListedFlag[] {
  const listed = flags.map((file): ListedFlag => {
    const { version, configurations } = file
    const times = history.times.get(version.key)
    if (times === undefined) throw new Error(`the history has no times of the flag ${version.key}`)
    const segmentsDigest = version.uses === undefined ? "" : digestOf(configurations.values())
    return { key: version.key, file, times, segmentsDigest }
  })
  return listed.sort((a, b) => compareText(a.key, b.key))
}

function digestOf(texts: Iterable<string>): string {
  return hash("sha256", [...texts].join("\n"))
}
