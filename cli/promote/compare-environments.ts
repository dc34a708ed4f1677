import type { Diff } from "../diff/changes/diff.ts"
import { compareSides } from "../diff/diff.ts"
import type { Side } from "../diff/sides/side.ts"
import type { Flag } from "../language/flag.ts"
import { configurationId } from "../language/ids.ts"

/**
 * Returns what would change for the users of `to` if it had the configurations of `from`. `promoted` has flags as a
 * promotion would leave them, by key; the others are computed here. The project is that of `to`: a promotion does not copy it.
 */
export async function compareEnvironments(
  from: { readonly side: Side; readonly environment: string },
  to: { readonly side: Side; readonly environment: string },
  promoted: ReadonlyMap<string, Flag>,
  now: number,
): Promise<Diff> {
  const flags = from.side.flags.map((flag) => promoted.get(flag.key) ?? moved(flag, from, to))
  const scope = (environment: string) => environment === to.environment
  return compareSides(to.side, { ...from.side, project: to.side.project, flags }, { scope, now })
}

/** The flag with another environment's configuration. Ids stay, because a promotion does not copy them. */
function moved(
  flag: Flag,
  from: { readonly side: Side; readonly environment: string },
  to: { readonly side: Side; readonly environment: string },
): Flag {
  const { project } = to.side
  const { key } = flag
  const place = project?.environments.find(({ name }) => name === to.environment)
  const before = to.side.flags.find((one) => one.key === key)?.configurations.get(to.environment)
  const id = before?.id ?? (project ? configurationId(key, to.environment, project) : "")
  const environmentId = before?.environmentId ?? place?.id ?? ""
  const others = [...flag.configurations].filter(([environment]) => environment !== to.environment)
  const own = flag.configurations.get(from.environment)
  const { environment } = to
  const put = own && ([environment, { ...own, environment, id, environmentId }] as const)
  return { ...flag, configurations: new Map(put === undefined ? others : [...others, put]) }
}
