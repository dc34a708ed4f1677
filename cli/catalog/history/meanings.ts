import { join } from "node:path"
import { checkSegmentFiles } from "../../compile/checks/check-segment-files.ts"
import type { Definition } from "../../compile/definition/definition.ts"
import { isSegmentPath } from "../../compile/definition/file-names.ts"
import type { Project } from "../../compile/definition/project.ts"
import { decodeSource } from "../../compile/definition/read-source.ts"
import { noSegments, type Segments } from "../../compile/definition/segments.ts"
import { toDefinition } from "../../compile/definition/validate.ts"
import { compileOldSegment } from "../../compile/history/old-version.ts"
import { identityOf } from "../../compile/meaning/compiled-flag.ts"
import { type ResolvedFlag, resolveFlag } from "../../compile/meaning/resolve.ts"
import { parseSource } from "../../compile/yaml/parse.ts"
import { createReport } from "../../diagnostics/diagnostic.ts"
import type { PeopleMember } from "../../diff/differences/difference.ts"
import type { Files } from "./readable-files.ts"

/** What old files mean, each made once. */
export interface Meanings {
  /** The flag of a file among others, which have the segments; `undefined` where it cannot be read. */
  readonly flag: (path: string, blob: string, segments: SegmentState) => ResolvedFlag | undefined
  readonly segments: (files: Files) => SegmentState
  /** The paths of files that may use a segment. */
  readonly usersOfSegments: (files: Files) => readonly string[]
  /** Whether a version of a file says anything. */
  readonly isReadable: (path: string, blob: string) => boolean
}

/** The segments of one moment. Equal states have equal names. */
export interface SegmentState {
  readonly name: string
  readonly segments: Segments
}

const noState: SegmentState = { name: "", segments: noSegments }

/** What is known of the files before any is read. */
export interface KnownFiles {
  /** Of every blob that is asked for. */
  readonly contents: ReadonlyMap<string, Uint8Array>
  /** The definitions of the work tree, by `identityOf`. */
  readonly definitions: ReadonlyMap<string, Definition>
}

export function createMeanings({ contents, definitions }: KnownFiles, project: Project): Meanings {
  const flags = new Map<string, ResolvedFlag | undefined>()
  const users = new Map<string, boolean>()
  const states = new Map<string, SegmentState>()
  const read = (path: string, blob: string) =>
    decodeSource(join(project.folder, path), contents.get(blob) ?? Buffer.of(), createReport())

  function make(path: string, blob: string, segments: Segments): ResolvedFlag | undefined {
    const source = read(path, blob)
    const file = source && parseSource(source, createReport())
    const definition = file && toDefinition(file, segments)
    return definition && withoutPlaces(resolveFlag(definition, project))
  }

  function mayUseSegments(blob: string): boolean {
    const known = users.get(blob)
    if (known !== undefined) return known
    const found = namesSegments(contents.get(blob))
    users.set(blob, found)
    return found
  }

  function flag(path: string, blob: string, { name, segments }: SegmentState): ResolvedFlag | undefined {
    const ownIdentity = identityOf(blob, path)
    const isUser = mayUseSegments(blob)
    const identity = isUser ? `${ownIdentity} ${name}` : ownIdentity
    if (flags.has(identity)) return flags.get(identity)
    const current = isUser ? undefined : definitions.get(ownIdentity)
    const made = current === undefined ? make(path, blob, segments) : resolveFlag(current, project)
    flags.set(identity, made)
    return made
  }

  return {
    flag,
    usersOfSegments: (files) => [...files].flatMap(([path, blob]) => (mayUseSegments(blob) ? [path] : [])),
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

/** A flag with what `diff` tells people of it, without the tree of its text: thousands of versions are in memory at once. */
function withoutPlaces(flag: ResolvedFlag): ResolvedFlag {
  const { definition } = flag
  const members = definition.root.members.filter(({ name }) => forPeople.has(name))
  return { ...flag, definition: { ...definition, configurations: [], root: { ...definition.root, members } } }
}

const forPeople: ReadonlySet<string> = new Set(["owner", "tags", "expires"] satisfies PeopleMember[])

/** Whether a file may name a segment: its text has the word, or an escape that might hide it. */
function namesSegments(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && /segment|\\/.test(Buffer.from(bytes).toString("latin1"))
}
