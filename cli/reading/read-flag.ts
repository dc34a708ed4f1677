import { basename } from "node:path"
import { type Report, wholeFile } from "../diagnostics/diagnostic.ts"
import type { Configuration, Flag, RuleItem } from "../language/flag.ts"
import { type FlagType, flagTypes } from "../language/flag-types.ts"
import { configurationId, flagId } from "../language/ids.ts"
import type { References } from "../language/references.ts"
import {
  jsonOf,
  type MappingNode,
  memberOf,
  type ParsedFile,
  type Text,
  writtenText,
} from "../language/tree.ts"
import { type ConditionPlace, type RulePlace, toCondition } from "./condition.ts"
import { checkConditionForm } from "./condition-form.ts"
import { keyOfFile, projectFileName } from "./files/file-names.ts"
import { conditionMembers, flagFileSchema } from "./grammar/schema.ts"
import type { Project } from "./project.ts"
import { noReferences, pathIn, resolvedIn } from "./references.ts"
import { refuseOddTexts } from "./refuse-odd-texts.ts"
import { checkShape } from "./shape.ts"
import { rulesOf, toSplit } from "./split.ts"

/** What a flag takes from its project. */
export type FlagProject = Pick<Project, "id" | "name" | "environments" | "knownAttributes" | "clock">

/** Returns the stage that reads a file's flag, if the file is a mapping, and reports what differs from the form of one. */
export function createFlagReader(
  project: Project,
  references: References = noReferences,
): (file: ParsedFile, report: Report) => Flag | undefined {
  const schema = flagFileSchema(project)
  return (file, report) => {
    if (isProjectFile(file)) {
      const message = `The project file must be \`${projectFileName}\` at the top of the flags folder. Move or remove this one.`
      report.add({ code: "stray-file", severity: "error", message, source: file.source, span: wholeFile })
      return undefined
    }
    if (refuseOddTexts(file, report) || !checkShape(file, schema, report)) return undefined
    const flag = toFlag(file, project, references)
    if (flag !== undefined) checkConditionForm(flag, project, report)
    return flag
  }
}

/** Whether a file in a subfolder has a project file's name and content. A flag can have that name too. */
function isProjectFile({ source, root }: ParsedFile): boolean {
  const isLike = root.kind === "mapping" && memberOf(root, "project") !== undefined
  return isLike && /^project\.ya?ml$/.test(basename(source.path))
}

/** Reads a file, even one with mistakes; `undefined` if it is not a mapping. */
export function toFlag(
  { source, root }: ParsedFile,
  project: FlagProject,
  references: References = noReferences,
): Flag | undefined {
  if (root.kind !== "mapping") return undefined
  const keyMember = memberText(root, "key")
  const key = keyMember?.text ?? keyOfFile(source.path)
  const [writtenId, defaultNode] = [memberText(root, "id"), memberOf(root, "defaultValue")?.value]
  const id = writtenId?.text ?? flagId(key, project)
  return {
    source,
    root,
    key,
    keySpan: keyMember?.span,
    id,
    writtenId,
    projectId: project.id,
    name: memberText(root, "name")?.text ?? key,
    description: memberText(root, "description")?.text ?? "",
    type: typeOf(root),
    defaultValue: jsonOf(defaultNode),
    defaultNode,
    expires: memberText(root, "expires"),
    configurations: toConfigurations(root, {
      path: pathIn(references, source),
      key,
      id,
      project,
      references,
    }),
    attributes: project.knownAttributes,
    references,
  }
}

/** The key that a flag file sets; `undefined`: its base name is the key. */
export function keyIn({ root }: ParsedFile): string | undefined {
  return root.kind === "mapping" ? memberText(root, "key")?.text : undefined
}

function typeOf(root: MappingNode): FlagType | undefined {
  const written = memberOf(root, "type")
  if (written === undefined) return "boolean"
  return flagTypes.find((type) => written.value.kind === "scalar" && written.value.value === type)
}

// Uses loops, because `flatMap` would allocate a list per rule, and there are more rules than anything else.

/** What the configurations of a file depend on besides their own text. */
interface Around {
  readonly path: string
  readonly key: string
  /** The flag's. */
  readonly id: string
  readonly project: FlagProject
  readonly references: References
}

function toConfigurations(root: MappingNode, around: Around): ReadonlyMap<string, Configuration> {
  const configurations = new Map<string, Configuration>()
  for (const { name, nameSpan, value } of membersOf(root, "environments"))
    if (value.kind === "mapping" && !configurations.has(name))
      configurations.set(name, toConfiguration(name, nameSpan, value, around))
  return configurations
}

function toConfiguration(
  environment: string,
  nameSpan: Configuration["nameSpan"],
  node: MappingNode,
  { path, key, id, project, references }: Around,
): Configuration {
  const place = { path, rule: { key, environment }, clock: project.clock }
  const enabled = memberOf(node, "enabled")?.value
  const written = memberOf(node, "rules")?.value
  const items: RuleItem[] = []
  for (const item of written?.kind === "sequence" ? written.items : [])
    if (item.kind === "mapping") items.push(toItem(item, place, references))
  const writtenId = memberText(node, "id")
  return {
    environment,
    id: writtenId?.text ?? configurationId(key, environment, project),
    flagId: id,
    environmentId: project.environments.find(({ name }) => name === environment)?.id ?? "",
    writtenId,
    enabled: enabled?.kind === "scalar" && enabled.value === true,
    items,
    rules: rulesOf(items, key),
    node,
    nameSpan,
  }
}

/** The configuration that a rule belongs to. */
interface ConfigurationPlace extends ConditionPlace {
  readonly rule: RulePlace & { readonly key: string }
}

function toItem(node: MappingNode, place: ConfigurationPlace, references: References): RuleItem {
  const split = toSplit(node, place.rule.key)
  const isForAll = split && !conditionMembers.some((name) => memberOf(node, name) !== undefined)
  return {
    node,
    id: memberText(node, "id"),
    condition: isForAll ? undefined : resolvedIn(references, toCondition(node, place)),
    split,
    returnValue: split === undefined ? memberOf(node, "returnValue")?.value : undefined,
  }
}

function membersOf(mapping: MappingNode, name: string) {
  const value = memberOf(mapping, name)?.value
  return value?.kind === "mapping" ? value.members : []
}

function memberText(mapping: MappingNode, name: string): Text | undefined {
  return writtenText(memberOf(mapping, name)?.value)
}

/** Where a diagnostic about a flag's key points: the `key:` member, or the file if its name is the key. */
export function keyLocation({ source, keySpan }: Pick<Flag, "source" | "keySpan">) {
  return { source, span: keySpan ?? wholeFile }
}
