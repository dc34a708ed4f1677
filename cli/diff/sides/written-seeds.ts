import type { Rule } from "../../../sdk/contract/snapshot.ts"
import type { ResolvedFlag } from "../../compile/flags/resolve.ts"
import { type Condition, fold, seededBy } from "../../language/condition.ts"
import { createEncode, decode } from "../../language/encode.ts"

/** The flag with the seed of each share written out, so that the users whom it picks do not depend on its key. */
export function withWrittenSeeds(flag: ResolvedFlag): ResolvedFlag {
  return mapConditions(flag, (condition) => seededBy(flag.flag.key, condition))
}

/** The flag with one seed for all its shares. */
export function withoutSeeds(flag: ResolvedFlag): ResolvedFlag {
  return mapConditions(withWrittenSeeds(flag), (condition) =>
    fold(condition, (node, parts: readonly Condition[]): Condition => {
      if ("parts" in node) return { ...node, parts }
      return node.kind === "share" ? { ...node, seed: "" } : node
    }),
  )
}

function mapConditions(flag: ResolvedFlag, change: (condition: Condition) => Condition): ResolvedFlag {
  const changed = (rule: Rule): Rule => {
    const condition = decode(rule)
    const encoded = condition && createEncode(flag.flag.key)(change(condition))
    return encoded === undefined ? rule : { ...rule, ...encoded }
  }
  const configurations = [...flag.configurations].map(
    ([name, configuration]) => [name, { ...configuration, rules: configuration.rules.map(changed) }] as const,
  )
  return { ...flag, configurations: new Map(configurations) }
}
