import { noSegments } from "../../compile/definition/segments.ts"
import type { WrittenFlag } from "../../compile/meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import type { ToldText, WrittenVersion } from "./telling.ts"
import { peopleMembers } from "./without-tree.ts"

/** Makes the function that writes versions, in the order in which they are read. */
export function createVersionWriter(): (flag: ResolvedFlag, written: WrittenFlag) => WrittenVersion {
  const positions = new Map<string, number>()
  const once = (text: string): ToldText => {
    const position = positions.get(text)
    if (position !== undefined) return position
    positions.set(text, positions.size)
    return text
  }
  return ({ definition, open }, { flag, configurations }) => ({
    flag: once(flag),
    configurations: [...configurations].flatMap(([environment, text]) => [once(environment), once(text)]),
    people: once(JSON.stringify(peopleMembers(definition.root.members))),
    open: open === undefined ? "" : JSON.stringify([...open]),
  })
}

/** Makes the function that reads them, without places. What has the same text is the same object. */
export function createVersionReader(): (version: WrittenVersion) => ResolvedFlag {
  const texts: string[] = []
  const values: unknown[] = []
  const positionOf = (text: ToldText): number => (typeof text === "number" ? text : texts.push(text) - 1)
  const textOf = (text: ToldText): string => texts[positionOf(text)] ?? ""
  const parsed = <T>(text: ToldText): T => {
    const position = positionOf(text)
    values[position] ??= JSON.parse(texts[position] ?? "")
    return values[position] as T
  }
  return ({ flag: written, configurations, people, open }) => {
    const flag = parsed<ResolvedFlag["flag"]>(written)
    const own = new Map<string, NonNullable<ReturnType<ResolvedFlag["configurations"]["get"]>>>()
    for (let at = 0; at < configurations.length; at += 2) {
      const environment = textOf(configurations[at] ?? "")
      own.set(environment, parsed(configurations[at + 1] ?? ""))
    }
    const root = { kind: "mapping", members: parsed<[]>(people), start: 0, end: 0 } as const
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
