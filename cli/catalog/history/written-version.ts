import { noSegments } from "../../compile/definition/segments.ts"
import type { WrittenFlag } from "../../compile/meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import type { WrittenVersion } from "./telling.ts"
import { peopleMembers } from "./without-tree.ts"

export function writeVersion(
  { definition, open }: ResolvedFlag,
  { flag, configurations }: WrittenFlag,
): WrittenVersion {
  return {
    flag,
    configurations: [...configurations].flat(),
    people: JSON.stringify(peopleMembers(definition.root.members)),
    open: open === undefined ? "" : JSON.stringify([...open]),
  }
}

/** Makes the function that reads versions, without places. What has the same text is the same object. */
export function createVersionReader(): (version: WrittenVersion) => ResolvedFlag {
  const known = new Map<string, unknown>()
  /** Each kind of text has a shape of its own. */
  const read = <T>(text: string): T => {
    const before = known.get(text)
    if (before !== undefined) return before as T
    const value = JSON.parse(text)
    known.set(text, value)
    return value
  }
  return ({ flag: text, configurations, people, open }) => {
    const flag = read<ResolvedFlag["flag"]>(text)
    const own = new Map<string, ReturnType<ResolvedFlag["configurations"]["get"]> & object>()
    for (let at = 0; at < configurations.length; at += 2)
      own.set(configurations[at] ?? "", read(configurations[at + 1] ?? ""))
    const root = { kind: "mapping", members: read<[]>(people), start: 0, end: 0 } as const
    const { key, name, description, type } = flag
    const definition = {
      ...{ source: { path: "", text: "" }, root, configurations: [], segments: noSegments },
      ...{ key, name, description, type },
      ...{ keySpan: undefined, id: undefined, defaultValue: undefined, expires: undefined },
    }
    return {
      definition,
      flag,
      configurations: own,
      ...(open === "" ? {} : { open: new Map(JSON.parse(open)) as NonNullable<ResolvedFlag["open"]> }),
    }
  }
}
