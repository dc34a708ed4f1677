import type { Diff } from "../diff/changes/diff.ts"
import { compareSides } from "../diff/diff.ts"
import type { Side } from "../diff/sides/side.ts"
import { configurationId } from "../flag/ids.ts"
import type { ResolvedFlag } from "../flag/resolve.ts"

/**
 * Returns what would change for the users of `to` if it had the configurations of `from`. `promoted` has flags as a
 * promotion would leave them, by key; the others are computed here.
 */
export async function compareEnvironments(
  from: { readonly side: Side; readonly environment: string },
  to: { readonly side: Side; readonly environment: string },
  promoted: ReadonlyMap<string, ResolvedFlag>,
): Promise<Diff> {
  const flags = from.side.flags.map((flag) => promoted.get(flag.flag.key) ?? moved(flag, from, to))
  return compareSides(to.side, { ...from.side, flags }, (environment) => environment === to.environment)
}

/** The flag with another environment's configuration. Ids stay, because a promotion does not copy them. */
function moved(
  flag: ResolvedFlag,
  from: { readonly side: Side; readonly environment: string },
  to: { readonly side: Side; readonly environment: string },
): ResolvedFlag {
  const { project } = from.side
  const { key } = flag.flag
  const place = project?.environments.find(({ name }) => name === to.environment)
  const before = to.side.flags.find((one) => one.flag.key === key)?.configurations.get(to.environment)
  const id = before?.id ?? (project ? configurationId(key, to.environment, project) : "")
  const environmentId = before?.environmentId ?? place?.id ?? ""
  const put = <T extends object>(configurations: ReadonlyMap<string, T>): ReadonlyMap<string, T> => {
    const others = [...configurations].filter(([environment]) => environment !== to.environment)
    const own = configurations.get(from.environment)
    return new Map(own === undefined ? others : [...others, [to.environment, { ...own, id, environmentId }]])
  }
  const { configurations: written } = flag.definition
  const definition = {
    ...flag.definition,
    configurations: written.flatMap((one) => {
      if (one.environment === from.environment) return [one, { ...one, environment: to.environment }]
      return one.environment === to.environment ? [] : [one]
    }),
  }
  return {
    ...flag,
    definition,
    configurations: put(flag.configurations),
    referring: flag.referring && put(flag.referring),
  }
}
