import type { FlagMeaning } from "../../../cli/diff/differences/difference.ts"
import type { Flag, Rule, SnapshotDocument } from "../../../sdk/contract/snapshot.ts"

/** Snapshots without their times, by environment, as `JSON.parse` gives them. */
export type Documents = Readonly<Record<string, { readonly flags: readonly Entry[] }>>

interface Entry {
  readonly flag: Omit<Flag, "createdAt" | "updatedAt">
  readonly environment: FlagMeaning["configurations"][string] | null
}

interface Flags {
  readonly definitions: Map<string, FlagMeaning["definition"]>
  readonly configurations: Map<string, Map<string, FlagMeaning["configurations"][string]>>
}

/** Applies the output of `--format json` to the snapshots before the change. Knows only what its schema says. */
export function applyDiff(documents: Documents, json: string): Documents {
  const { changes } = JSON.parse(json)
  const flags = toFlags(documents)
  for (const change of changes) applyChange(flags, change)
  const ruleChanges = changes.filter(({ kind }: ChangeJson) => kind.startsWith("rule-"))
  const lists = Map.groupBy(ruleChanges, ({ environment, flag }: ChangeJson) => `${environment} ${flag}`)
  for (const own of lists.values()) applyRules(flags, own)
  return toDocuments(flags)
}

// biome-ignore lint/suspicious/noExplicitAny: the schema test holds the shape
type ChangeJson = any

function applyChange({ definitions, configurations }: Flags, change: ChangeJson): void {
  const { kind, flag, environment } = change
  const remove = (key: string) => {
    definitions.delete(key)
    for (const configured of configurations.values()) configured.delete(key)
  }
  const add = ({ definition, configurations: own }: FlagMeaning) => {
    definitions.set(definition.key, definition)
    for (const [name, configuration] of Object.entries(own))
      configurations.get(name)?.set(definition.key, configuration)
  }
  switch (kind) {
    case "environment-added":
      configurations.set(environment, new Map())
      break
    case "environment-removed":
      configurations.delete(environment)
      break
    case "flag-added":
      add(change.after)
      break
    case "flag-removed":
      remove(flag)
      break
    case "flag-renamed":
      remove(change.from)
      add(change.after)
      break
    case "definition-changed":
      definitions.set(flag, { ...existing(definitions, flag), [change.member]: change.after })
      break
    case "ids-changed": {
      const { id, projectId, configurations: ids } = change.after
      definitions.set(flag, { ...existing(definitions, flag), id, projectId })
      for (const [name, configured] of configurations) {
        const configuration = configured.get(flag)
        if (configuration !== undefined) configured.set(flag, { ...configuration, flagId: id, ...ids[name] })
      }
      break
    }
    case "configured":
      configurations.get(environment)?.set(flag, change.after)
      break
    case "unconfigured":
      configurations.get(environment)?.delete(flag)
      break
    case "switched-on":
    case "switched-off": {
      const configured = existing(configurations, environment)
      configured.set(flag, { ...existing(configured, flag), enabled: kind === "switched-on" })
      break
    }
  }
}

/** Puts every rule that a change mentions in its place; the others keep their order in the remaining places. */
function applyRules({ configurations }: Flags, changes: readonly ChangeJson[]): void {
  const { environment, flag } = changes[0]
  const configured = existing(configurations, environment)
  const configuration = existing(configured, flag)
  const placed = new Map<number, Rule>()
  const taken = new Set<number>()
  for (const { from, to, after, rule } of changes) {
    if (from !== undefined) taken.add(from)
    if (to !== undefined) placed.set(to, after ?? rule)
  }
  const rest = configuration.rules.filter((_, at) => !taken.has(at))
  const rules = Array.from({ length: rest.length + placed.size }, (_, at) => placed.get(at) ?? rest.shift())
  configured.set(flag, { ...configuration, rules: rules as readonly Rule[] })
}

function toFlags(documents: Documents): Flags {
  const definitions = new Map<string, FlagMeaning["definition"]>()
  const configurations = new Map<string, Map<string, FlagMeaning["configurations"][string]>>()
  for (const [environment, { flags }] of Object.entries(documents)) {
    const configured = new Map<string, FlagMeaning["configurations"][string]>()
    for (const entry of flags) {
      definitions.set(entry.flag.key, entry.flag)
      if (entry.environment !== null) configured.set(entry.flag.key, entry.environment)
    }
    configurations.set(environment, configured)
  }
  return { definitions, configurations }
}

function toDocuments({ definitions, configurations }: Flags): Documents {
  const sorted = [...definitions].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(
    [...configurations].map(([environment, configured]) => [
      environment,
      { flags: sorted.map(([key, flag]) => ({ flag, environment: configured.get(key) ?? null })) },
    ]),
  )
}

function existing<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key)
  if (value === undefined) throw new Error(`the side before has no ${key}`)
  return value
}

/** A snapshot without its times: they come from commits, and a diff compares meanings. */
export function withoutTimes(snapshot: string): Documents[string] {
  const { flags }: SnapshotDocument = JSON.parse(snapshot)
  return {
    flags: flags.map(({ flag: { createdAt: _, updatedAt: __, ...flag }, environment }) => {
      if (environment === null) return { flag, environment }
      const { updatedAt: ___, ...configuration } = environment
      return { flag, environment: configuration }
    }),
  }
}
