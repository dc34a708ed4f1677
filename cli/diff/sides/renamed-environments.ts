import type { Project } from "../../compile/definition/project.ts"
import type { ResolvedFlag } from "../../compile/meaning/resolve.ts"

/** The new names of environments, each with the old one: with the same id, in the same place, or the only added one. */
export function renamedEnvironments(
  before: Project | undefined,
  after: Project | undefined,
): ReadonlyMap<string, string> {
  const [old, now] = [before?.environments ?? [], after?.environments ?? []]
  const without = (list: typeof old, others: typeof old) =>
    list.filter(({ name }) => !others.some((other) => other.name === name))
  const [gone, come] = [without(old, now), without(now, old)]
  const names = new Map<string, string>()
  for (const one of gone) {
    const inPlace = old.length === now.length ? now[old.indexOf(one)] : undefined
    const only = gone.length === 1 && come.length === 1 ? come[0] : undefined
    const sameId = come.find(({ id }) => id === one.id)
    const next = [sameId, inPlace, only].find(
      (other) => other && come.includes(other) && !names.has(other.name),
    )
    if (next !== undefined) names.set(next.name, one.name)
  }
  return names
}

/** The flag before the change, with its configurations under the new names of environments, and with the ids after it. */
export function withNewNames(
  before: ResolvedFlag,
  after: ResolvedFlag,
  renamed: ReadonlyMap<string, string>,
): ResolvedFlag {
  const newNames = new Map([...renamed].map(([name, old]) => [old, name]))
  const nameOf = (name: string) => newNames.get(name) ?? name
  const configurations = [...before.configurations].map(([old, own]) => {
    const { id, environmentId } = (newNames.has(old) && after.configurations.get(nameOf(old))) || own
    return [nameOf(old), { ...own, id, environmentId }] as const
  })
  return {
    ...before,
    configurations: new Map(configurations),
    open: before.open && new Map([...before.open].map(([old, own]) => [nameOf(old), own])),
    definition: {
      ...before.definition,
      configurations: before.definition.configurations.map((own) => {
        return { ...own, environment: nameOf(own.environment) }
      }),
    },
  }
}
