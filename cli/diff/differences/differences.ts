import type { Json } from "../../../sdk/contract/snapshot.ts"
import { sentConfiguration, sentFlag } from "../../flag/sent-flag.ts"
import { sameValue } from "../../language/canonical-json.ts"
import type { Flag } from "../../language/flag.ts"
import { memberOf, toValue } from "../../language/tree.ts"
import type { Project } from "../../reading/project.ts"
import type { FlagOnBothSides, FlagPair } from "../sides/pair-flags.ts"
import type { RenamedEnvironments } from "../sides/renamed-environments.ts"
import type {
  ConfigurationDifference,
  FlagDifference,
  FlagMeaning,
  Ids,
  PeopleMember,
  ProjectDifference,
} from "./difference.ts"
import type { RuleMatch } from "./match-rules.ts"

/** What differs between two project files; `undefined` is a side without a project. */
export function projectDifferences(
  before: Project | undefined,
  after: Project | undefined,
  renamed: RenamedEnvironments,
): readonly ProjectDifference[] {
  const members = (["name", "id", "operators", "protected"] as const).flatMap(
    (member): ProjectDifference[] => {
      const values = { before: projectMember(before, member), after: projectMember(after, member) }
      return sameValue(values.before, values.after) ? [] : [{ kind: "project-changed", member, ...values }]
    },
  )
  const idsBefore = new Map(before?.environments.map(({ name, id }) => [name, { id }]))
  const idsAfter = new Map(after?.environments.map(({ name, id }) => [name, { id }]))
  const names = new Set([...[...idsBefore.keys()].filter((name) => !idsAfter.has(name)), ...idsAfter.keys()])
  const environments = [...names].flatMap((environment): ProjectDifference[] => {
    const [one, other] = [idsBefore.get(environment), idsAfter.get(environment)]
    const [renamedTo] = [...renamed].find(([, old]) => old === environment) ?? []
    const renamedFrom = renamed.get(environment)
    if (other === undefined)
      return one
        ? [{ kind: "environment-removed", environment, ...(renamedTo && { renamedTo }), before: one }]
        : []
    if (one === undefined)
      return [{ kind: "environment-added", environment, ...(renamedFrom && { renamedFrom }), after: other }]
    if (one.id === other.id) return []
    return [{ kind: "environment-changed", environment, before: one, after: other }]
  })
  return [...members, ...environments]
}

/** A member of the project file. Lists whose order means nothing are sorted, and an empty one is the same as none. */
function projectMember(
  project: Project | undefined,
  member: "name" | "id" | "operators" | "protected",
): Json {
  const value = project?.[member]
  if (value === undefined || typeof value === "string") return value ?? null
  return value.length === 0 ? null : value.toSorted()
}

/** What differs in a flag's definition. */
export function flagDifferences(pair: FlagPair): readonly FlagDifference[] {
  if (pair.kind === "added") {
    const after = meaningOf(pair.after)
    return [{ kind: "flag-added", flag: after.definition.key, after }]
  }
  if (pair.kind === "removed") {
    const before = meaningOf(pair.before)
    return [{ kind: "flag-removed", flag: before.definition.key, before }]
  }
  const flag = pair.after.key
  const people = peopleDifferences(pair)
  if (pair.kind === "renamed") {
    const [before, after] = [meaningOf(pair.before), meaningOf(pair.after)]
    return [{ kind: "flag-renamed", flag, from: before.definition.key, before, after }, ...people]
  }
  const members = (["type", "defaultValue", "name", "description"] as const).flatMap(
    (member): FlagDifference[] => {
      const [before, after] = [sentFlag(pair.before)[member], sentFlag(pair.after)[member]]
      return sameValue(before, after) ? [] : [{ kind: "definition-changed", flag, member, before, after }]
    },
  )
  return [...members, ...idsDifferences(pair), ...people]
}

/** Everything in the snapshots about a flag, without the times. */
function meaningOf(flag: Flag): FlagMeaning {
  const configurations = [...flag.configurations].map(([environment, configuration]) => {
    return [environment, sentConfiguration(configuration)] as const
  })
  return { definition: sentFlag(flag), configurations: Object.fromEntries(configurations) }
}

/** The ids of a flag and of the configurations that both sides have: a new configuration brings its own. */
function idsOf(flag: Flag, otherSide: Flag): Ids {
  const shared = [...flag.configurations].filter(([environment]) => otherSide.configurations.has(environment))
  return {
    id: flag.id,
    projectId: flag.projectId,
    configurations: Object.fromEntries(
      shared.map(([environment, { id, environmentId }]) => [environment, { id, environmentId }]),
    ),
  }
}

function idsDifferences({ before, after }: FlagOnBothSides): readonly FlagDifference[] {
  const isSame =
    before.id === after.id &&
    before.projectId === after.projectId &&
    [...before.configurations].every(([environment, { id, environmentId }]) => {
      const other = after.configurations.get(environment)
      return other === undefined || (other.id === id && other.environmentId === environmentId)
    })
  if (isSame) return []
  const flag = after.key
  return [{ kind: "ids-changed", flag, before: idsOf(before, after), after: idsOf(after, before) }]
}

function peopleDifferences(pair: FlagOnBothSides): readonly FlagDifference[] {
  const flag = pair.after.key
  return (["owner", "tags", "expires", "links"] as const).flatMap((member): FlagDifference[] => {
    const [before, after] = [writtenMember(pair.before, member), writtenMember(pair.after, member)]
    return sameValue(before, after) ? [] : [{ kind: "people-changed", flag, member, before, after }]
  })
}

/** A flag's owner, if its file names one. */
export function ownerOf(flag: Flag): string | undefined {
  const owner = writtenMember(flag, "owner")
  return typeof owner === "string" && owner !== "" ? owner : undefined
}

function writtenMember({ root }: Flag, member: PeopleMember): Json {
  const written = memberOf(root, member)
  return written === undefined ? null : toValue(written.value)
}

/** What differs in a flag's configuration in one environment. `match` pairs the rules of both sides, if both have it. */
export function configurationDifferences(
  pair: FlagOnBothSides,
  environment: string,
  match: RuleMatch | undefined,
): readonly ConfigurationDifference[] {
  const where = { flag: pair.after.key, environment }
  const [before, after] = [
    pair.before.configurations.get(environment),
    pair.after.configurations.get(environment),
  ]
  if (before === undefined)
    return after === undefined ? [] : [{ kind: "configured", ...where, after: sentConfiguration(after) }]
  if (after === undefined || match === undefined)
    return [{ kind: "unconfigured", ...where, before: sentConfiguration(before) }]
  const switched: readonly ConfigurationDifference[] =
    before.enabled === after.enabled
      ? []
      : [{ kind: after.enabled ? "switched-on" : "switched-off", ...where }]
  return [
    ...switched,
    ...match.removed.map((rule) => ({ kind: "rule-removed" as const, ...where, ...rule })),
    ...match.added.map((rule) => ({ kind: "rule-added" as const, ...where, ...rule })),
    ...match.pairs.flatMap(({ from, to, before, after, moved, edited, references }) => [
      ...(edited.length > 0
        ? [
            {
              kind: "rule-edited" as const,
              ...where,
              from,
              to,
              members: edited,
              before,
              after,
              ...(references && { references }),
            },
          ]
        : []),
      ...(moved ? [{ kind: "rule-moved" as const, ...where, from, to, rule: after }] : []),
    ]),
  ]
}
