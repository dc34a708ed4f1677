import { hash } from "node:crypto"
import type { SnapshotDocument } from "../../../proxy/contract/snapshot.ts"
import { isSegmentPath } from "../../compile/definition/file-names.ts"
import type { FlagFile } from "../../compile/definition/flag-file.ts"
import type { FlagTimes } from "../../compile/history/timeline.ts"
import type { Build } from "../../compile/meaning/build.ts"
import { compareText } from "../../diagnostics/diagnostic.ts"
import type { BuildParts } from "../build-parts.ts"
import type { FlagReader } from "./flag-reader.ts"

/** A flag of the build. */
export interface ListedFlag {
  readonly key: string
  readonly file: FlagFile
  readonly times: FlagTimes
  /** A digest of what it means with the segments that it uses; `""`: it uses none. */
  readonly inSegments: string
}

/** The flags of a build, by key. They are read only where the build has told nothing, because it knew its documents. */
export function listFlags(parts: BuildParts, build: Build, read: FlagReader): readonly ListedFlag[] {
  const flags = parts.compiled === undefined ? readAll(parts, build, read) : compiledFlags(parts.compiled)
  return flags.toSorted((a, b) => compareText(a.key, b.key))
}

function compiledFlags({ flags, times }: NonNullable<BuildParts["compiled"]>): readonly ListedFlag[] {
  return flags.flatMap((file) => {
    const { version, configurations } = file
    const own = times.get(version.key)
    const inSegments = version.uses === undefined ? "" : digestOf(configurations.values())
    return own === undefined ? [] : [{ key: version.key, file, times: own, inSegments }]
  })
}

function readAll({ files }: BuildParts, build: Build, read: FlagReader): readonly ListedFlag[] {
  const times = timesIn(build)
  return files
    .filter(({ source }) => !isSegmentPath(source.path))
    .flatMap((file) => {
      const version = read(file)?.version
      const own = version && times.get(version.key)
      if (version === undefined || own === undefined) return []
      const inSegments = version.inSegments === undefined ? "" : digestOf(version.configurations.values())
      return [{ key: version.key, file, times: own, inSegments }]
    })
}

function digestOf(texts: Iterable<string>): string {
  return hash("sha256", [...texts].join("\n"))
}

/** The times that the documents of a build have, by key. */
function timesIn({ snapshots }: Build): ReadonlyMap<string, FlagTimes> {
  const all = new Map<
    string,
    Omit<FlagTimes, "configurations"> & { readonly configurations: Map<string, number> }
  >()
  for (const { environment: name, bytes } of snapshots) {
    const { flags }: SnapshotDocument = JSON.parse(Buffer.from(bytes).toString("utf8"))
    for (const { flag, environment } of flags) {
      const { key, createdAt, updatedAt } = flag
      const known = all.get(key) ?? {
        createdAt: Date.parse(createdAt),
        updatedAt: Date.parse(updatedAt),
        configurations: new Map<string, number>(),
      }
      all.set(key, known)
      if (environment !== null) known.configurations.set(name, Date.parse(environment.updatedAt))
    }
  }
  return all
}
