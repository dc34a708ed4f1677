import type { Configuration, Json } from "../../../proxy/contract/snapshot.ts"
import { noSegments } from "../../compile/definition/segments.ts"
import type { WrittenFlag } from "../../compile/meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
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
  /** Without its time, by environment. With the segments that the version was read with. */
  readonly configurations: ReadonlyMap<string, string>
  /** The members that only people read, with their values. */
  readonly people: string
  /** The flag itself, if it uses segments: a history puts in those of each commit, and reads nothing else of the version. */
  readonly inSegments?: ResolvedFlag
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
  return open === undefined
    ? version
    : { ...version, inSegments: { ...resolved, definition: outline(version) } }
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
  if (version.inSegments !== undefined) return version.inSegments
  const configurations = new Map<string, Omit<Configuration, "updatedAt">>()
  for (const environment of environments) {
    const text = version.configurations.get(environment)
    if (text !== undefined) configurations.set(environment, parse(text) as Omit<Configuration, "updatedAt">)
  }
  return { definition: outline(version), flag: parse(version.flag) as ResolvedFlag["flag"], configurations }
}

function outline({ key, path, people }: KeptVersion): ResolvedFlag["definition"] {
  const members = (JSON.parse(people) as readonly (readonly [string, Json])[]).map(toMember)
  return {
    ...{ source: { path, text: "" }, root: { kind: "mapping", members, ...nowhere } },
    ...{ key, keySpan: undefined, id: undefined, name: key, description: "", type: undefined },
    ...{ defaultValue: undefined, expires: undefined, configurations: [], segments: noSegments },
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
