import type { Configuration, Flag, Json } from "../../../proxy/contract/snapshot.ts"
import type { DefinedConfiguration, DefinedRule, Definition } from "../definition/definition.ts"
import type { Project } from "../definition/project.ts"
import { type Node, toValue } from "../yaml/tree.ts"
import {
  closeConfiguration,
  meaningText,
  type OpenConfiguration,
  type OpenRule,
  usesSegments,
} from "./configuration.ts"
import { openCondition } from "./open-condition.ts"
import { createTravel, hasTravelled, type Travel } from "./travelling.ts"

/** What a flag means: everything that its snapshots say about it, without the times. */
export interface ResolvedFlag {
  readonly definition: Definition
  readonly flag: Omit<Flag, "createdAt" | "updatedAt">
  /** By environment name; an environment in which the flag is not configured is absent. */
  readonly configurations: ReadonlyMap<string, Omit<Configuration, "updatedAt">>
  /** Those that use segments, as they are before these are put in. Absent: none does. */
  readonly open?: ReadonlyMap<string, OpenConfiguration>
}

/** The flag's meaning in its project: defaults filled in, ids made, segments put in, operands as they travel. */
export function resolveFlag(definition: Definition, project: Project): ResolvedFlag {
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
  const travel = createTravel(definition.segments)
  const configurations = new Map<string, Omit<Configuration, "updatedAt">>()
  const open = new Map<string, OpenConfiguration>()
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
    configurations.set(environment, closeConfiguration(configuration, travel))
    if (usesSegments(configuration)) open.set(environment, configuration)
  }
  return { definition, flag, configurations, open }
}

/** The id of a flag that sets none: random-looking ids would be 40 % of the compressed document. */
export function flagId(key: string, project: Project): string {
  return `${project.name}/${key}`
}

/** The id of a configuration that sets none. */
export function configurationId(key: string, environment: string, project: Project): string {
  return `${flagId(key, project)}@${environment}`
}

/**
 * Text that is equal for two rules that do the same, whatever their ids: canonical JSON. `undefined` for a group that is
 * too long, or uses a segment that has mistakes.
 */
export function ruleMeaning({ condition, returnValue }: DefinedRule, travel: Travel): string | undefined {
  const { attribute, operator, value } = travel(openCondition(condition))
  const isWhole = condition.kind === "comparison" || hasTravelled({ attribute, operator, value })
  return isWhole ? meaningText({ attribute, operator, value, returnValue: jsonOf(returnValue) }) : undefined
}

function rulesOf({ rules }: DefinedConfiguration): readonly OpenRule[] {
  return rules.map(({ id, condition, returnValue }) => ({
    id: id?.text,
    condition: openCondition(condition),
    returnValue: jsonOf(returnValue),
  }))
}

function jsonOf(node: Node | undefined): Json {
  return node === undefined ? null : toValue(node)
}
