import type { CheckedSegments } from "../../compile/checks/check-segment-files.ts"
import type { Definition } from "../../compile/definition/definition.ts"
import { eachCondition, eachUse } from "../../compile/definition/each-condition.ts"
import { type KnownSegments, withUsers } from "../../compile/meaning/expand-segments.ts"

/** The names of the segments whose conditions differ between two sides, including those that only one side has. */
export function changedSegments(before: KnownSegments, after: KnownSegments): ReadonlySet<string> {
  const textOf = (segments: KnownSegments, name: string) => JSON.stringify(segments.get(name)?.condition)
  const names = [...before.names, ...after.names]
  return new Set(names.filter((name) => textOf(before, name) !== textOf(after, name)))
}

/** Checks whether a flag uses a segment whose file is broken, directly or through others. */
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
