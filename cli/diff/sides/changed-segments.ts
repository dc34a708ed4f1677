import type { CheckedSegments } from "../../compile/checks/check-segment-files.ts"
import { eachCondition, eachUse } from "../../compile/definition/condition.ts"
import type { Definition } from "../../compile/definition/definition.ts"
import { pathFrom } from "../../compile/definition/read.ts"
import { withUsers } from "../../compile/meaning/expand-segments.ts"
import { addUses } from "../../compile/meaning/open-condition.ts"
import { createReport } from "../../diagnostics/diagnostic.ts"
import type { Tree } from "../revisions/tree.ts"

/** The names of the segments that stand for different conditions on two sides; one that is on one side alone differs. */
export function changedSegments(before: CheckedSegments, after: CheckedSegments): ReadonlySet<string> {
  const names = new Set([...before.segments.names, ...after.segments.names])
  const textOf = ({ segments }: CheckedSegments, name: string) =>
    JSON.stringify(segments.get(name)?.condition)
  return new Set([...names].filter((name) => textOf(before, name) !== textOf(after, name)))
}

/** The names, and those of the segments that these use, directly or through others. */
export function segmentsWithin(
  names: ReadonlySet<string>,
  { segments }: CheckedSegments,
): ReadonlySet<string> {
  const all = new Set(names)
  for (const name of all) {
    // A set also gives what is added meanwhile.
    const condition = segments.conditions.get(name)
    if (condition !== undefined) addUses(condition, all)
  }
  return all
}

/** The files that might use one of the segments: its name stands in the file's text, perhaps with escapes. */
export async function readUsers(
  tree: Tree,
  paths: readonly string[],
  names: ReadonlySet<string>,
  folder: string,
): Promise<ReadonlySet<string>> {
  if (names.size === 0 || paths.length === 0) return new Set()
  const list = [...names]
  const sources = await tree.read(paths, createReport())
  const users = sources.filter(({ text }) => text.includes("\\") || list.some((name) => text.includes(name)))
  return new Set(users.map(({ path }) => pathFrom(folder, path)))
}

/** Says whether a flag uses a segment whose file is broken, directly or through others. */
export function createBrokenUse(
  { defined, segments }: CheckedSegments,
  brokenFiles: ReadonlySet<string>,
): (definition: Definition) => boolean {
  const unreadable = segments.names.filter((name) => segments.get(name) === undefined)
  const faulty = defined.filter(({ source }) => brokenFiles.has(source.path)).map(({ name }) => name)
  const broken = withUsers(new Set([...unreadable, ...faulty]), segments.conditions)
  return (definition) => {
    let isBroken = false
    eachCondition(definition, (condition) =>
      eachUse(condition, ({ name }) => {
        isBroken ||= broken.has(name?.text ?? "")
      }),
    )
    return isBroken
  }
}
