import { hash } from "node:crypto"
import type { Configuration, Flag, Json, Rule } from "../../../proxy/contract/snapshot.ts"
import type { DefinedConfiguration, DefinedRule, Definition } from "../definition/definition.ts"
import type { Project } from "../definition/project.ts"
import { type Node, toValue } from "../yaml/tree.ts"
import { canonicalJson } from "./canonical-json.ts"
import { createTravel, hasTravelled, type Travel } from "./travelling.ts"

/** What a flag means: everything that its snapshots say about it, without the times. */
export interface ResolvedFlag {
  readonly definition: Definition
  readonly flag: Omit<Flag, "createdAt" | "updatedAt">
  /** By environment name; an environment in which the flag is not configured is absent. */
  readonly configurations: ReadonlyMap<string, Omit<Configuration, "updatedAt">>
}

/** The flag's meaning in its project: defaults filled in, ids made, operands as they travel. */
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
  const travel = createTravel()
  const configurations = new Map<string, Omit<Configuration, "updatedAt">>()
  for (const { name: environment, id: environmentId } of project.environments) {
    const defined = definition.configurations.find(
      (configuration) => configuration.environment === environment,
    )
    if (defined === undefined) continue
    configurations.set(environment, {
      id: defined.id?.text ?? configurationId(key, environment, project),
      flagId: id,
      environmentId,
      enabled: defined.enabled,
      rules: resolveRules(defined, travel),
    })
  }
  return { definition, flag, configurations }
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
 * too long.
 */
export function ruleMeaning(rule: DefinedRule, travel: Travel): string | undefined {
  const meaning = meaningOf(rule, travel)
  return hasTravelled(rule.condition, meaning) ? meaningText(meaning) : undefined
}

function meaningText({ attribute, operator, returnValue, value }: Omit<Rule, "id">): string {
  if (typeof returnValue === "object") return canonicalJson({ attribute, operator, returnValue, value })
  return JSON.stringify({ attribute, operator, returnValue, value }) // the same text, many times faster
}

function resolveRules({ rules }: DefinedConfiguration, travel: Travel): readonly Rule[] {
  const taken = new Set<string>()
  for (const { id } of rules) if (id !== undefined) taken.add(id.text)
  return rules.map((rule) => {
    const meaning = meaningOf(rule, travel)
    const id = rule.id?.text ?? freeId(meaningText(meaning), taken)
    taken.add(id)
    const { attribute, operator, value, returnValue } = meaning
    return { id, attribute, operator, value, returnValue } // without a spread: V8 writes such objects as JSON faster
  })
}

function meaningOf(rule: DefinedRule, travel: Travel): Omit<Rule, "id"> {
  const { attribute, operator, value } = travel(rule.condition)
  return { attribute, operator, value, returnValue: jsonOf(rule.returnValue) }
}

/** The first 8 hex digits of the meaning's SHA-256; more where two rules of one configuration share them. */
function freeId(meaning: string, taken: ReadonlySet<string>): string {
  const digest = digestOf(meaning)
  let length = 8
  while (taken.has(digest.slice(0, length)) && length < digest.length) length++
  return digest.slice(0, length)
}

/** Cached where the meaning is short, because most flags have the same few rules. */
function digestOf(meaning: string): string {
  if (meaning.length > longest) return hash("sha256", meaning)
  const known = digests.get(meaning)
  if (known !== undefined) return known
  if (digests.size === maxDigests) digests.clear()
  const digest = hash("sha256", meaning)
  digests.set(meaning, digest)
  return digest
}

const digests = new Map<string, string>()
const maxDigests = 10_000
/** Characters. Together with `maxDigests` it bounds the memory. */
const longest = 500

function jsonOf(node: Node | undefined): Json {
  return node === undefined ? null : toValue(node)
}
