import { join } from "node:path"
import { checkSegmentFiles } from "../../compile/checks/check-segment-files.ts"
import { isSegmentPath } from "../../compile/definition/file-names.ts"
import type { Project } from "../../compile/definition/project.ts"
import { decodeSource } from "../../compile/definition/read.ts"
import { noSegments, type Segments } from "../../compile/definition/segments.ts"
import { toDefinition } from "../../compile/definition/validate.ts"
import { compileOldSegment } from "../../compile/history/old-version.ts"
import { identityOf } from "../../compile/meaning/compiled-flag.ts"
import { type ResolvedFlag, resolveFlag } from "../../compile/meaning/resolve.ts"
import { parseSource } from "../../compile/yaml/parse.ts"
import { createReport } from "../../diagnostics/diagnostic.ts"
import type { Files } from "./readable-files.ts"

/** What old files mean, each made once. */
export interface Meanings {
  /** The flag of a file among others, which have the segments; `undefined` where it cannot be read. */
  readonly flag: (path: string, blob: string, segments: SegmentState) => ResolvedFlag | undefined
  readonly segments: (files: Files) => SegmentState
  /** Whether a version of a file says anything. */
  readonly isReadable: (path: string, blob: string) => boolean
}

/** The segments of one moment. Equal states have equal names. */
export interface SegmentState {
  readonly name: string
  readonly segments: Segments
}

const noState: SegmentState = { name: "", segments: noSegments }

/** `contents` has every blob that is asked for. */
export function createMeanings(contents: ReadonlyMap<string, Uint8Array>, project: Project): Meanings {
  const flags = new Map<string, ResolvedFlag | undefined>()
  const states = new Map<string, SegmentState>()
  const read = (path: string, blob: string) =>
    decodeSource(join(project.folder, path), contents.get(blob) ?? Buffer.of(), createReport())

  function make(path: string, blob: string, segments: Segments): ResolvedFlag | undefined {
    const source = read(path, blob)
    const file = source && parseSource(source, createReport())
    const definition = file && toDefinition(file, segments)
    return definition && resolveFlag(definition, project)
  }

  function flag(path: string, blob: string, { name, segments }: SegmentState): ResolvedFlag | undefined {
    const identity = `${identityOf(blob, path)}${usesSegments(contents.get(blob)) ? ` ${name}` : ""}`
    if (!flags.has(identity)) flags.set(identity, make(path, blob, segments))
    return flags.get(identity)
  }

  return {
    flag,
    isReadable(path, blob) {
      if (!isSegmentPath(path)) return flag(path, blob, noState) !== undefined
      return compileOldSegment(contents.get(blob) ?? Buffer.of(), path) !== "unreadable"
    },
    segments(files) {
      const own = [...files].filter(([path]) => isSegmentPath(path)).sort(([a], [b]) => (a < b ? -1 : 1))
      const name = own.flat().join("\0")
      const known = states.get(name)
      if (known !== undefined) return known
      const sources = own.flatMap(([path, blob]) => read(path, blob) ?? [])
      const segments =
        own.length === 0 ? noSegments : checkSegmentFiles(sources, project, createReport()).segments
      const state = { name, segments }
      states.set(name, state)
      return state
    },
  }
}

/** The paths of files that may use a segment. */
export function usersOfSegments(files: Files, contents: ReadonlyMap<string, Uint8Array>): readonly string[] {
  return [...files].filter(([, blob]) => usesSegments(contents.get(blob))).map(([path]) => path)
}

/** Whether a file may name a segment: its text has the word, or an escape that might hide it. */
function usesSegments(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && /segment|\\/.test(Buffer.from(bytes).toString("latin1"))
}
