import type { Configuration, Flag } from "../../sdk/contract/snapshot.ts"
import { compareText } from "../diagnostics/diagnostic.ts"
import type { FlagUse } from "../language/condition.ts"
import { createEncode } from "../language/encode.ts"
import type { KnownAttributes } from "../language/known-attributes.ts"
import type { DefinedConfiguration, Definition } from "../reading/definition.ts"
import type { Project } from "../reading/project.ts"
import { sentRules } from "../reading/split.ts"
import {
  dependsOnOthers,
  encodeConfiguration,
  referencesOf,
  type UnencodedConfiguration,
  type UnencodedRule,
} from "./configuration.ts"
import { configurationId, flagId } from "./ids.ts"
import { jsonOf } from "./rule-meaning.ts"

/** A flag's meaning: everything in its snapshots except the times. */
export interface ResolvedFlag {
  readonly definition: Definition
  readonly flag: Omit<Flag, "createdAt" | "updatedAt">
  /** By environment name; an environment in which the flag is not configured is absent. */
  readonly configurations: ReadonlyMap<string, Omit<Configuration, "updatedAt">>
  /** The configurations that refer to segments, flags or lists in files, before they are encoded; absent if none does. */
  readonly referring?: ReadonlyMap<string, UnencodedConfiguration> | undefined
  /** The project's attributes. */
  readonly attributes: KnownAttributes
}

/** The part of a flag that is made from its definition. */
type Entries = Pick<ResolvedFlag, "flag" | "configurations" | "referring">

/** A flag of a project, whose meaning is made when it is first asked for. */
export function resolveFlag(definition: Definition, project: Project): ResolvedFlag {
  let made: Entries | undefined
  const entries = () => {
    made ??= toEntries(definition, project)
    return made
  }
  return {
    definition,
    get flag() {
      return entries().flag
    },
    get configurations() {
      return entries().configurations
    },
    get referring() {
      return entries().referring
    },
    attributes: project.attributes,
  }
}

/** The flag's meaning in its project, with defaults, ids and encoded conditions. */
function toEntries(definition: Definition, project: Project): Entries {
  const { key, name, description, type = "boolean", defaultValue } = definition
  const id = definition.id?.text ?? flagId(key, project)
  const flag = {
    id,
    projectId: project.id,
    key,
    name,
    description,
    type,
    defaultValue: jsonOf(defaultValue),
  }
  const encode = createEncode(key)
  const configurations = new Map<string, Omit<Configuration, "updatedAt">>()
  let referring: Map<string, UnencodedConfiguration> | undefined
  for (const { name: environment, id: environmentId } of project.environments) {
    const defined = definition.configurations.find(
      (configuration) => configuration.environment === environment,
    )
    if (defined === undefined) continue
    const configuration = {
      id: defined.id?.text ?? configurationId(key, environment, project),
      flagId: id,
      environmentId,
      enabled: defined.enabled,
      rules: rulesOf(defined),
    }
    configurations.set(environment, encodeConfiguration(configuration, encode))
    if (!dependsOnOthers(configuration)) continue
    referring ??= new Map()
    referring.set(environment, configuration)
  }
  return { flag, configurations, referring }
}

function rulesOf(configuration: DefinedConfiguration): readonly UnencodedRule[] {
  return sentRules(configuration).map(({ id, condition, returnValue }) => ({
    id: id?.text,
    condition,
    returnValue: jsonOf(returnValue),
  }))
}

/** The conditions of a flag about other flags. */
export function flagUsesIn({ referring }: ResolvedFlag): readonly FlagUse[] {
  return [...(referring?.values() ?? [])].flatMap((configuration) =>
    referencesOf(configuration).filter((reference) => reference.kind === "flag"),
  )
}

/** The keys of the flags that a flag depends on, in any environment, sorted. */
export function keysAskedBy(flag: ResolvedFlag): readonly string[] {
  return [...new Set(flagUsesIn(flag).map(({ key }) => key))].sort(compareText)
}
