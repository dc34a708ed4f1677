import type { Json } from "../../proxy/contract/snapshot.ts"
import type { Project } from "../compile/definition/project.ts"
import type { ResolvedFlag } from "../compile/meaning/resolve.ts"
import { memberOf, toValue } from "../compile/yaml/tree.ts"
import type {
  ConfigurationFact,
  ConfigurationMeaning,
  FlagFact,
  FlagMeaning,
  Ids,
  PeopleMember,
  ProjectFact,
} from "./change.ts"
import { sameValue } from "./decision.ts"
import { matchRules } from "./match-rules.ts"
import type { FlagPair } from "./pair-flags.ts"

/** What differs between two project files; `undefined` is a side without a project. */
export function projectFacts(
  before: Project | undefined,
  after: Project | undefined,
): readonly ProjectFact[] {
  const members = (["name", "id", "operators", "protected"] as const).flatMap((member): ProjectFact[] => {
    const [old, now] = [saidOf(before, member), saidOf(after, member)]
    return sameValue(old, now) ? [] : [{ kind: "project-changed", member, before: old, after: now }]
  })
  const olds = new Map(before?.environments.map(({ name, id }) => [name, { id }]))
  const news = new Map(after?.environments.map(({ name, id }) => [name, { id }]))
  const removed = [...olds].flatMap(([environment, old]): ProjectFact[] =>
    news.has(environment) ? [] : [{ kind: "environment-removed", environment, before: old }],
  )
  const others = [...news].flatMap(([environment, now]): ProjectFact[] => {
    const old = olds.get(environment)
    if (old === undefined) return [{ kind: "environment-added", environment, after: now }]
    return old.id === now.id ? [] : [{ kind: "environment-changed", environment, before: old, after: now }]
  })
  return [...members, ...removed, ...others]
}

/** What a project says of itself; lists whose order means nothing are sorted, and an empty one is the same as none. */
function saidOf(project: Project | undefined, member: "name" | "id" | "operators" | "protected"): Json {
  const value = project?.[member]
  if (value === undefined || typeof value === "string") return value ?? null
  return value.length === 0 ? null : value.toSorted()
}

/** What differs in a flag's definition. */
export function flagFacts(pair: FlagPair): readonly FlagFact[] {
  if (pair.kind === "added") {
    const after = meaningOf(pair.after)
    return [{ kind: "flag-added", flag: after.definition.key, after }]
  }
  if (pair.kind === "removed") {
    const before = meaningOf(pair.before)
    return [{ kind: "flag-removed", flag: before.definition.key, before }]
  }
  const flag = pair.after.flag.key
  const people = peopleFacts(flag, pair.before, pair.after)
  if (pair.kind === "renamed") {
    const [before, after] = [meaningOf(pair.before), meaningOf(pair.after)]
    return [{ kind: "flag-renamed", flag, from: before.definition.key, before, after }, ...people]
  }
  const members = (["type", "defaultValue", "name", "description"] as const).flatMap((member): FlagFact[] => {
    const [before, after] = [pair.before.flag[member], pair.after.flag[member]]
    return sameValue(before, after) ? [] : [{ kind: "definition-changed", flag, member, before, after }]
  })
  const [before, after] = sharedIds(pair.before, pair.after)
  const ids: readonly FlagFact[] = sameValue({ ...before }, { ...after })
    ? []
    : [{ kind: "ids-changed", flag, before, after }]
  return [...members, ...ids, ...people]
}

/** All that the snapshots say of a flag but the times. */
function meaningOf({ flag, configurations }: ResolvedFlag): FlagMeaning {
  return { definition: flag, configurations: Object.fromEntries(configurations) }
}

/** The ids of both sides; those of configurations where both have one, since a new one brings its own. */
function sharedIds(before: ResolvedFlag, after: ResolvedFlag): readonly [Ids, Ids] {
  const idsOf = ({ flag, configurations }: ResolvedFlag, other: ResolvedFlag): Ids => ({
    id: flag.id,
    projectId: flag.projectId,
    configurations: Object.fromEntries(
      [...configurations].flatMap(([environment, { id, environmentId }]) =>
        other.configurations.has(environment) ? [[environment, { id, environmentId }]] : [],
      ),
    ),
  })
  return [idsOf(before, after), idsOf(after, before)]
}

function peopleFacts(flag: string, older: ResolvedFlag, newer: ResolvedFlag): readonly FlagFact[] {
  return (["owner", "tags", "expires"] as const).flatMap((member): FlagFact[] => {
    const [before, after] = [writtenMember(older, member), writtenMember(newer, member)]
    return sameValue(before, after) ? [] : [{ kind: "people-changed", flag, member, before, after }]
  })
}

function writtenMember({ definition }: ResolvedFlag, member: PeopleMember): Json {
  const written = memberOf(definition.root, member)
  return written === undefined ? null : toValue(written.value)
}

/** What differs in a flag's configuration in one environment. */
export function configurationFacts(
  flag: string,
  environment: string,
  before: ConfigurationMeaning | undefined,
  after: ConfigurationMeaning | undefined,
): readonly ConfigurationFact[] {
  const where = { flag, environment }
  if (before === undefined) return after === undefined ? [] : [{ kind: "configured", ...where, after }]
  if (after === undefined) return [{ kind: "unconfigured", ...where, before }]
  const switched: readonly ConfigurationFact[] =
    before.enabled === after.enabled
      ? []
      : [{ kind: after.enabled ? "switched-on" : "switched-off", ...where }]
  return [...switched, ...ruleFacts(where, before.rules, after.rules)]
}

function ruleFacts(
  where: { readonly flag: string; readonly environment: string },
  before: ConfigurationMeaning["rules"],
  after: ConfigurationMeaning["rules"],
): readonly ConfigurationFact[] {
  const { pairs, added, removed } = matchRules(before, after)
  return [
    ...removed.flatMap((from): ConfigurationFact[] => {
      const rule = before[from]
      return rule === undefined ? [] : [{ kind: "rule-removed", ...where, from, before: rule }]
    }),
    ...added.flatMap((to): ConfigurationFact[] => {
      const rule = after[to]
      return rule === undefined ? [] : [{ kind: "rule-added", ...where, to, after: rule }]
    }),
    ...pairs.flatMap(({ from, to, moved, edited }): ConfigurationFact[] => {
      const [old, now] = [before[from], after[to]]
      if (old === undefined || now === undefined) return []
      const facts: ConfigurationFact[] = []
      if (edited.length > 0)
        facts.push({ kind: "rule-edited", ...where, from, to, members: edited, before: old, after: now })
      if (moved) facts.push({ kind: "rule-moved", ...where, from, to, rule: now })
      return facts
    }),
  ]
}
