import type { Configuration, Flag } from "../../../proxy/contract/snapshot.ts"
import type { DefinedConfiguration, Definition } from "../definition/definition.ts"
import type { Project } from "../definition/project.ts"
import type { KnownAttributes } from "../grammar/known-attributes.ts"
import { closeConfiguration, type OpenConfiguration, type OpenRule, usesSegments } from "./configuration.ts"
import { configurationId, flagId } from "./ids.ts"
import { openCondition } from "./open-condition.ts"
import { jsonOf } from "./rule-meaning.ts"
import { createToWire } from "./wire-condition.ts"

/** A flag's meaning: everything in its snapshots except the times. */
export interface ResolvedFlag {
  readonly definition: Definition
  readonly flag: Omit<Flag, "createdAt" | "updatedAt">
  /** By environment name; an environment in which the flag is not configured is absent. */
  readonly configurations: ReadonlyMap<string, Omit<Configuration, "updatedAt">>
  /** The configurations that use segments, before those are expanded; absent if none does. */
  readonly open?: ReadonlyMap<string, OpenConfiguration> | undefined
  /** The project's attributes. */
  readonly attributes: KnownAttributes
}

/** The part of a flag that is made from its definition. */
type Entries = Pick<ResolvedFlag, "flag" | "configurations" | "open">

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
    get open() {
      return entries().open
    },
    attributes: project.attributes,
  }
}

/** The flag's meaning in its project, with defaults, ids, expanded segments, and operands in their wire format. */
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
  const toWire = createToWire(definition.segments)
  const configurations = new Map<string, Omit<Configuration, "updatedAt">>()
  let open: Map<string, OpenConfiguration> | undefined
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
    configurations.set(environment, closeConfiguration(configuration, toWire))
    if (!usesSegments(configuration)) continue
    open ??= new Map()
    open.set(environment, configuration)
  }
  return { flag, configurations, open }
}

function rulesOf({ rules }: DefinedConfiguration): readonly OpenRule[] {
  return rules.map(({ id, condition, returnValue }) => ({
    id: id?.text,
    condition: openCondition(condition),
    returnValue: jsonOf(returnValue),
  }))
}
