import { canonicalJson } from "../../language/canonical-json.ts"
import type { Flag } from "../../language/flag.ts"
import type { Environment } from "../../reading/project.ts"
import type { Side } from "./side.ts"

/** The new names of environments, each with the old one. */
export type RenamedEnvironments = ReadonlyMap<string, string>

/**
 * Pairs removed environments with added ones: by id, then by configurations, then by configurations and protection, then by
 * place if both lists have the same length, and finally the only ones left. If a criterion allows several pairs, the next one
 * decides.
 */
export function renamedEnvironments(before: Side, after: Side): RenamedEnvironments {
  const [old, now] = [before.project?.environments ?? [], after.project?.environments ?? []]
  const without = (list: typeof old, others: typeof old) =>
    list.filter(({ name }) => !others.some((other) => other.name === name))
  let [gone, come] = [without(old, now), without(now, old)]
  if (gone.length === 0 || come.length === 0) return new Map()
  const contents = new Map(gone.map((one) => [one, contentsOf(one, before)]))
  for (const one of come) contents.set(one, contentsOf(one, after))
  const isGuarded = ({ name }: Environment, { project }: Side) => project?.protected.includes(name)
  const haveSameContents = (one: Environment, other: Environment) => contents.get(one) === contents.get(other)
  const ways: readonly ((one: Environment, other: Environment) => boolean)[] = [
    (one, other) => one.id === other.id,
    haveSameContents,
    (one, other) => haveSameContents(one, other) && isGuarded(one, before) === isGuarded(other, after),
    (one, other) => old.length === now.length && old.indexOf(one) === now.indexOf(other),
    () => true,
  ]
  const names = new Map<string, string>()
  for (const isSame of ways) {
    for (const one of gone) {
      const [next, ...more] = come.filter((other) => isSame(one, other))
      if (next === undefined || more.length > 0 || gone.filter((other) => isSame(other, next)).length > 1)
        continue
      names.set(next.name, one.name)
    }
    gone = gone.filter(({ name }) => ![...names.values()].includes(name))
    come = come.filter(({ name }) => !names.has(name))
  }
  return names
}

/** Equal for environments in which all flags have the same rules. */
function contentsOf({ name }: Environment, { flags }: Side): string {
  const configured = flags.map(({ key, configurations }) => {
    const { enabled = null, rules = [] } = configurations.get(name) ?? {}
    return [key, [enabled, rules.map(({ sent }) => ({ ...sent }))]]
  })
  return canonicalJson(Object.fromEntries(configured))
}

/** The flag before the change, with its configurations under the new names of environments, and with the ids after it. */
export function withNewNames(before: Flag, after: Flag, renamed: RenamedEnvironments): Flag {
  const newNames = new Map([...renamed].map(([name, old]) => [old, name]))
  const nameOf = (name: string) => newNames.get(name) ?? name
  const configurations = [...before.configurations].map(([old, own]) => {
    const environment = nameOf(old)
    const { id, environmentId } = (newNames.has(old) && after.configurations.get(environment)) || own
    return [environment, { ...own, environment, id, environmentId }] as const
  })
  return { ...before, configurations: new Map(configurations) }
}
