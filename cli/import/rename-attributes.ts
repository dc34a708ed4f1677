import { Failure } from "../failure.ts"
import { attributesIn, mapLeaves } from "../language/condition.ts"
import type { Guard, Imported, Meaning } from "./form/form.ts"
import type { Tool } from "./form/tool.ts"
import { clockIn } from "./shares.ts"

/** What is imported, and the tool that gives it its meaning. */
interface Renamed {
  readonly read: Imported
  readonly tool: Tool
}

/**
 * Renames attributes in rules, splits and segments, and asks the tool's meaning with the new names. Throws `Failure` for a name that
 * is not there, and for a new name that rules already compare.
 */
export function renameAttributes({ read, tool }: Renamed, names: ReadonlyMap<string, string>): Renamed {
  if (names.size === 0) return { read, tool }
  const used = attributesOf(read)
  const clock = clockIn(read)
  if (clock !== undefined && names.has(clock))
    throw new Failure(
      `--rename ${clock}=${names.get(clock)}: \`clock:\` in project.yaml names the attribute of the time`,
    )
  for (const [theirs, ours] of names) {
    if (!used.has(theirs) && !tool.required.includes(theirs))
      throw new Failure(`--rename ${theirs}=${ours}: no rule compares ${theirs}`)
    if (used.has(ours) || [...names.values()].indexOf(ours) !== [...names.keys()].indexOf(theirs))
      throw new Failure(`--rename ${theirs}=${ours}: another attribute is called ${ours}, too`)
  }
  const rename = (name: string) => names.get(name) ?? name
  const renameIn = (when: Guard["when"]) =>
    mapLeaves(when, (leaf) => {
      if (leaf.kind === "share") return { ...leaf, by: rename(leaf.by) }
      return leaf.kind === "comparison" ? { ...leaf, attribute: rename(leaf.attribute) } : leaf
    })
  const flags = read.flags.map((flag) => ({
    ...flag,
    configurations: flag.configurations.map((one) => ({
      ...one,
      guards: one.guards.map((guard) => ({
        ...guard,
        when: renameIn(guard.when),
        gives: guard.gives.kind === "split" ? { ...guard.gives, by: rename(guard.gives.by) } : guard.gives,
      })),
      meaning: ((attributes, ...others) =>
        one.meaning((name) => attributes(rename(name)), ...others)) satisfies Meaning,
    })),
  }))
  const segments = read.segments.map((one) => ({ ...one, condition: renameIn(one.condition) }))
  return {
    read: { ...read, flags, segments },
    tool: { ...tool, required: tool.required.map(rename) },
  }
}

/** The attributes that rules, splits and segments compare or hash. */
function attributesOf({ flags, segments }: Imported): ReadonlySet<string> {
  const guards = flags.flatMap(({ configurations }) => configurations.flatMap((one) => one.guards))
  const conditions = [...segments.map(({ condition }) => condition), ...guards.map(({ when }) => when)]
  const hashed = guards.flatMap(({ gives }) => (gives.kind === "split" ? gives.by : []))
  return new Set([...conditions.flatMap(attributesIn), ...hashed])
}
