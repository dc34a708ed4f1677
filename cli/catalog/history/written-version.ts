import type { Configuration } from "../../../proxy/contract/snapshot.ts"
import { noSegments } from "../../compile/definition/segments.ts"
import type { WrittenFlag } from "../../compile/meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"
import { peopleMembers } from "./without-tree.ts"

/**
 * A version of a flag in one text, because the thread copies a text in no time and takes long to clone objects. Fields end
 * with NUL, which neither paths nor JSON have in them: the version by `identityOf`, the flag, the members of the file that
 * only `diff` reports, the segments that it uses, and environments and configurations in turn. A version that nobody
 * can read is only its identity.
 */
export type WrittenVersion = string

export function writeVersion(
  identity: string,
  { definition, open }: ResolvedFlag,
  { flag, configurations }: WrittenFlag,
): WrittenVersion {
  const people = JSON.stringify(peopleMembers(definition.root.members))
  let text = `${identity}\0${flag}\0${people}\0${open === undefined ? "" : JSON.stringify([...open])}`
  for (const [environment, configuration] of configurations) text += `\0${environment}\0${configuration}`
  return text
}

/** Makes the function that reads versions, without places. What has the same text is the same object. */
export function createVersionReader(): (
  version: WrittenVersion,
) => readonly [identity: string, flag: ResolvedFlag | undefined] {
  const values = new Map<string, unknown>()
  const parsed = <T>(text: string): T => {
    const known = values.get(text)
    if (known !== undefined) return known as T
    const value = JSON.parse(text)
    values.set(text, value)
    return value
  }
  return (version) => {
    const [identity = "", written, people = "", open = "", ...fields] = version.split("\0")
    if (written === undefined) return [identity, undefined]
    const flag = parsed<ResolvedFlag["flag"]>(written)
    const configurations = new Map<string, Omit<Configuration, "updatedAt">>()
    for (let at = 0; at < fields.length; at += 2)
      configurations.set(fields[at] ?? "", parsed(fields[at + 1] ?? ""))
    const root = { kind: "mapping", members: parsed<[]>(people), start: 0, end: 0 } as const
    const { key, name, description, type } = flag
    const definition = {
      ...{ source: { path: "", text: "" }, root, configurations: [], segments: noSegments },
      ...{ key, name, description, type },
      ...{ keySpan: undefined, id: undefined, defaultValue: undefined, expires: undefined },
    }
    return [
      identity,
      {
        definition,
        flag,
        configurations,
        ...(open === "" ? {} : { open: new Map(JSON.parse(open)) as NonNullable<ResolvedFlag["open"]> }),
      },
    ]
  }
}
