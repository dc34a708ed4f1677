import { basename } from "node:path"
import { type Report, wholeFile } from "../diagnostics/diagnostic.ts"
import { type FlagType, flagTypes } from "../language/flag-types.ts"
import { type MappingNode, memberOf, type ParsedFile } from "../language/tree.ts"
import { type ConditionPlace, type RulePlace, toCondition } from "./condition.ts"
import {
  type DefinedConfiguration,
  type DefinedRule,
  type Definition,
  type Text,
  writtenText,
} from "./definition.ts"
import { keyOfFile, projectFileName } from "./files/file-names.ts"
import { conditionMembers, flagFileSchema } from "./grammar/schema.ts"
import type { Project } from "./project.ts"
import { refuseOddTexts } from "./refuse-odd-texts.ts"
import { noSegments, pathIn, resolvedIn, type Segments } from "./segments.ts"
import { createShapeCheck } from "./shape.ts"
import { toSplit } from "./split.ts"

/** Returns the stage that checks a file's shape and reads its definition, if the file is a mapping. */
export function createValidator(
  project: Project,
  segments: Segments = noSegments,
): (file: ParsedFile, report: Report) => Definition | undefined {
  const checkShape = createShapeCheck(flagFileSchema(project))
  return (file, report) => {
    if (isProjectFile(file)) {
      const message = `The project file must be \`${projectFileName}\` at the top of the flags folder. Move or remove this one.`
      report.add({ code: "stray-file", severity: "error", message, source: file.source, span: wholeFile })
      return undefined
    }
    if (refuseOddTexts(file, report) || !checkShape(file, report)) return undefined
    return toDefinition(file, segments)
  }
}

/** Whether a file in a subfolder has a project file's name and content. A flag can have that name too. */
function isProjectFile({ source, root }: ParsedFile): boolean {
  const isLike = root.kind === "mapping" && memberOf(root, "project") !== undefined
  return isLike && /^project\.ya?ml$/.test(basename(source.path))
}

/** Reads a file, even one with mistakes; `undefined` if it is not a mapping. */
export function toDefinition({ source, root }: ParsedFile, segments: Segments): Definition | undefined {
  if (root.kind !== "mapping") return undefined
  const keyMember = memberText(root, "key")
  const key = keyMember?.text ?? keyOfFile(source.path)
  const path = pathIn(segments, source)
  return {
    source,
    root,
    key,
    keySpan: keyMember?.span,
    id: memberText(root, "id"),
    name: memberText(root, "name")?.text ?? key,
    description: memberText(root, "description")?.text ?? "",
    type: typeOf(root),
    defaultValue: memberOf(root, "defaultValue")?.value,
    expires: memberText(root, "expires"),
    configurations: toConfigurations(root, { path, key, segments }),
    segments,
  }
}

function typeOf(root: MappingNode): FlagType | undefined {
  const written = memberOf(root, "type")
  if (written === undefined) return "boolean"
  return flagTypes.find((type) => written.value.kind === "scalar" && written.value.value === type)
}

// Uses loops, because `flatMap` would allocate a list per rule, and there are more rules than anything else.

/** What the conditions of a file depend on besides their own text. */
interface Around {
  readonly path: string
  readonly key: string
  readonly segments: Segments
}

function toConfigurations(root: MappingNode, around: Around): readonly DefinedConfiguration[] {
  const configurations: DefinedConfiguration[] = []
  for (const { name, nameSpan, value } of membersOf(root, "environments"))
    if (value.kind === "mapping") configurations.push(toConfiguration(name, nameSpan, value, around))
  return configurations
}

function toConfiguration(
  environment: string,
  nameSpan: DefinedConfiguration["nameSpan"],
  node: MappingNode,
  { path, key, segments }: Around,
): DefinedConfiguration {
  const place = { path, rule: { key, environment } }
  const enabled = memberOf(node, "enabled")?.value
  const written = memberOf(node, "rules")?.value
  const rules: DefinedRule[] = []
  for (const item of written?.kind === "sequence" ? written.items : [])
    if (item.kind === "mapping") rules.push(toRule(item, place, segments))
  return {
    node,
    environment,
    nameSpan,
    id: memberText(node, "id"),
    enabled: enabled?.kind === "scalar" && enabled.value === true,
    rules,
  }
}

/** The configuration that a rule belongs to. */
interface ConfigurationPlace extends ConditionPlace {
  readonly rule: RulePlace & { readonly key: string }
}

function toRule(node: MappingNode, place: ConfigurationPlace, segments: Segments): DefinedRule {
  const split = toSplit(node, place.rule.key)
  const isForAll = split && !conditionMembers.some((name) => memberOf(node, name) !== undefined)
  return {
    node,
    id: memberText(node, "id"),
    condition: isForAll ? undefined : resolvedIn(segments, toCondition(node, place)),
    gives: split ?? memberOf(node, "returnValue")?.value,
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
export function keyLocation({ source, keySpan }: Pick<Definition, "source" | "keySpan">) {
  return { source, span: keySpan ?? wholeFile }
}
