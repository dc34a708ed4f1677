import type { Configuration, Json } from "../../../proxy/contract/snapshot.ts"
import { noSegments, type Segments } from "../../compile/definition/segments.ts"
import type { WrittenFlag } from "../../compile/meaning/compiled-flag.ts"
import { closeConfiguration, type OpenConfiguration } from "../../compile/meaning/configuration.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import { createTravel } from "../../compile/meaning/travelling.ts"
import { type Member, type Node, toValue } from "../../compile/yaml/tree.ts"
import type { PeopleMember } from "../../diff/differences/difference.ts"

/**
 * What `diff` reports of one version of a flag, in JSON: thousands of versions are in memory at once, texts take less of it
 * than objects, and the build has made most of them for itself.
 */
export interface KeptVersion {
  readonly key: string
  readonly path: string
  /** Without its times. */
  readonly flag: string
  /** Without its time, by environment, with segments put in. */
  readonly configurations: ReadonlyMap<string, string>
  /** The members that only people read, with their values. */
  readonly people: string
  /** Absent: it uses no segments. */
  readonly inSegments?: InSegments
}

/** The configurations of a version that use segments, and what was put in. */
export interface InSegments {
  /** By environment, as they were before. */
  readonly open: ReadonlyMap<string, OpenConfiguration>
  /** Versions of one state of the segments have the same object. */
  readonly segments: Segments
}

export function keepVersion(
  resolved: ResolvedFlag,
  { flag, configurations }: Pick<WrittenFlag, "flag" | "configurations">,
): KeptVersion {
  const { definition, open } = resolved
  const { key, source, root } = definition
  const members: [string, Json][] = []
  for (const { name, value } of root.members) if (forPeople.has(name)) members.push([name, toValue(value)])
  const people = members.length === 0 ? "[]" : JSON.stringify(members)
  const version = { key, path: source.path, flag, configurations, people }
  return open === undefined ? version : { ...version, inSegments: { open, segments: definition.segments } }
}

/** The same version where segments stand for something else. */
export function putIn(segments: Segments, version: KeptVersion): KeptVersion {
  if (version.inSegments === undefined) return version
  const { open } = version.inSegments
  const travel = createTravel(segments)
  const configurations = new Map(version.configurations)
  for (const [environment, configuration] of open)
    configurations.set(environment, JSON.stringify(closeConfiguration(configuration, travel)))
  return { ...version, configurations, inSegments: { open, segments } }
}

const forPeople: ReadonlySet<string> = new Set(["owner", "tags", "expires"] satisfies PeopleMember[])

/** The flag, as far as `diff` reads it. Its places are not those of its file. */
export function restoreVersion(version: KeptVersion): ResolvedFlag {
  return restore(version, version.configurations.keys(), JSON.parse)
}

/** Both sides of an edit in some environments. What they have in common is one object, at which `diff` does not look twice. */
export function restorePair(
  before: KeptVersion,
  after: KeptVersion,
  environments: readonly string[],
): { readonly kind: "kept"; readonly before: ResolvedFlag; readonly after: ResolvedFlag } {
  const known = new Map<string, unknown>()
  const parse = (text: string) => {
    const value = known.get(text) ?? JSON.parse(text)
    known.set(text, value)
    return value
  }
  return {
    kind: "kept",
    before: restore(before, environments, parse),
    after: restore(after, environments, parse),
  }
}

function restore(
  version: KeptVersion,
  environments: Iterable<string>,
  parse: (text: string) => unknown,
): ResolvedFlag {
  const configurations = new Map<string, Omit<Configuration, "updatedAt">>()
  for (const environment of environments) {
    const text = version.configurations.get(environment)
    if (text !== undefined) configurations.set(environment, parse(text) as Omit<Configuration, "updatedAt">)
  }
  const flag = parse(version.flag) as ResolvedFlag["flag"]
  return { definition: outline(version), flag, configurations, open: version.inSegments?.open }
}

function outline({ key, path, people, inSegments }: KeptVersion): ResolvedFlag["definition"] {
  const members = (JSON.parse(people) as readonly (readonly [string, Json])[]).map(toMember)
  return {
    ...{ source: { path, text: "" }, root: { kind: "mapping", members, ...nowhere } },
    ...{ key, keySpan: undefined, id: undefined, name: key, description: "", type: undefined },
    ...{ defaultValue: undefined, expires: undefined, configurations: [] },
    segments: inSegments?.segments ?? noSegments,
  }
}

function toMember([name, value]: readonly [string, Json]): Member {
  return { name, nameSpan: nowhere, value: toNode(value) }
}

function toNode(value: Json): Node {
  if (Array.isArray(value)) return { kind: "sequence", items: value.map(toNode), ...nowhere }
  return typeof value === "object" && value !== null
    ? { kind: "mapping", members: Object.entries<Json>(value).map(toMember), ...nowhere }
    : { kind: "scalar", value, plain: false, ...nowhere }
}

const nowhere = { start: 0, end: 0 }
