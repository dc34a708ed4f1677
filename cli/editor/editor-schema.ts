import type { Project } from "../compile/definition/project.ts"
import type { SegmentWord } from "../compile/definition/segments.ts"
import { operandForms, operandPatterns } from "../compile/grammar/operand.ts"
import { groupKinds, type Operand, operators } from "../compile/grammar/operators.ts"
import { projectFileSchema } from "../compile/grammar/project-schema.ts"
import {
  type EditorKeywords,
  flagFileSchema,
  type MappingSchema,
  segmentFileSchema,
} from "../compile/grammar/schema.ts"
import { caseOperators } from "../conditions/ignoring-case.ts"
import type { DocsLink } from "../docs-address.ts"
import { when } from "./conditional-schema.ts"
import { attributeForms, attributeKeywords } from "./editor-attributes.ts"
import { forEditors, operatorDescriptions, segmentDescriptions } from "./editor-words.ts"

/** What the schemas depend on. */
interface EditorVocabulary
  extends Pick<Project, "name" | "environments" | "operators">,
    Partial<Pick<Project, "attributes" | "tags">> {
  readonly segments?: readonly SegmentWord[]
}

/**
 * The JSON Schema of a flag file in this project for editors: the shape that lint checks, and those of lint's other checks
 * that a schema can express. Draft 7, which the YAML language server supports best. Without `docs` it has no links.
 */
export function editorSchema(project: EditorVocabulary, docs?: DocsLink): object {
  const { definitions, ...schema } = flagFileSchema(project, keywordsOf(project))
  return {
    ...head(`A feature flag of ${project.name}`),
    ...forEditors(schema, "a-flag", docs),
    allOf: [
      ...(["boolean", "string", "number"] as const).map(valuesOfType),
      forEachRule({ allOf: [form, splitOrValue] }),
    ],
    definitions: definitionsOf(definitions, project, docs),
  }
}

/** The JSON Schema of a segment file in this project for editors, in the same way. */
export function segmentEditorSchema(project: EditorVocabulary, docs?: DocsLink): object {
  const { definitions, ...schema } = withoutFlag(segmentFileSchema(project, keywordsOf(project)))
  return {
    ...head(`A segment of ${project.name}`),
    ...forEditors(schema, "segments", docs),
    allOf: [form],
    definitions: definitionsOf({ condition: withoutFlag(definitions.condition) }, project, docs),
  }
}

/** A segment, which is the same in every environment, depends on no flag. */
function withoutFlag<S extends MappingSchema>({ properties, ...schema }: S) {
  const { flag: _, is: __, ...others } = properties
  return { ...schema, properties: others }
}

/** Each share of a split has its own value. */
const splitOrValue = when({ required: ["split"] }, { properties: { returnValue: false } })

/** The JSON Schema of the project file for editors. */
export function projectEditorSchema(docs?: DocsLink): object {
  return { ...head("A project of Flagstone"), ...forEditors(projectFileSchema, "the-project-file", docs) }
}

const form = { $ref: "#/definitions/form" }

function head(title: string): object {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title,
    description: "Made by flagstone from project.yaml, and kept up to date by build and lint: do not edit.",
  }
}

function keywordsOf({ operators, attributes, tags, segments = [] }: EditorVocabulary): EditorKeywords {
  const known = attributeKeywords(attributes)
  return {
    ...known,
    share: { exclusiveMinimum: 0, maximum: 100 },
    link: { pattern: "^https://", patternErrorMessage: "A link begins with https://." },
    percent: { minimum: 0, maximum: 100 },
    tag: tags === undefined ? {} : { enum: tags },
    condition: { allOf: [form] },
    operator: operatorDescriptions(operators),
    value: { type: ["string", "array"], ...known.value },
    segment: segments.length === 0 ? {} : segmentDescriptions(segments),
  }
}

function definitionsOf(
  definitions: object,
  { attributes }: EditorVocabulary,
  docs: DocsLink | undefined,
): object {
  const forms = [
    ...operands.map(operandOf),
    ...others.map(formOf),
    comparison,
    ignoringCase,
    isOfFlag,
    ...attributeForms(attributes),
  ]
  return { ...forEditors(definitions, "rules", docs), form: { allOf: forms } }
}

/** All values of a flag have the flag's type; a flag without `type` is boolean. */
function valuesOfType(type: "boolean" | "string" | "number"): object {
  const isType = {
    properties: { type: { const: type } },
    ...(type === "boolean" ? {} : { required: ["type"] }),
  }
  const returnValue = { properties: { returnValue: { type } } }
  const { properties } = forEachRule({
    properties: { returnValue: { type }, split: { properties: { into: { items: returnValue } } } },
  })
  return when(isType, { properties: { defaultValue: { type }, ...properties } })
}

const operands = [...new Set([...operators.values()].map(({ operand }) => operand))]

/** The other members of a rule, given the operand that its operator takes. */
function operandOf(operand: Operand): object {
  const names = [...operators].filter(([, operator]) => operator.operand === operand).map(([name]) => name)
  const pattern = operandPatterns[operand]
  // Where a pattern does not match, the editor shows this sentence and not the pattern.
  const checked = pattern && { pattern, patternErrorMessage: `The value ${operandForms[operand]}.` }
  // A list may be written as it travels: as a JSON array in a text.
  const value =
    operand === "list"
      ? { type: ["array", "string"], items: { type: "string" }, ...checked }
      : { type: "string", ...checked }
  const needs =
    operand === "none" ? { properties: { value: false } } : { properties: { value }, required: ["value"] }
  const taking = names.filter((name) => operators.get(name)?.takesAttribute === true)
  const refusing = names.filter((name) => !taking.includes(name))
  return {
    allOf: [
      when(operatorIn(names), needs),
      ...(taking.length === 0 ? [] : [when(operatorIn(taking), { required: ["attribute"] })]),
      ...(refusing.length === 0 ? [] : [when(operatorIn(refusing), { properties: { attribute: false } })]),
    ],
  }
}

const others = [...groupKinds, "segment", "share", "flag"] as const

/** What cannot stand beside a group, a segment, a share or a flag. */
function formOf(kind: (typeof others)[number]): object {
  const beside = ["attribute", "operator", "value", "ignoreCase", ...others].filter((name) => name !== kind)
  return when({ required: [kind] }, { properties: Object.fromEntries(beside.map((name) => [name, false])) })
}

/** A condition of no other form is a comparison. */
const comparison = when(
  { not: { anyOf: [...others, "split"].map((kind) => ({ required: [kind] })) } },
  { required: ["operator"] },
)

const isOfFlag = when({ required: ["is"] }, { required: ["flag"] })

/** Only comparisons of texts can ignore case. */
const ignoringCase = when({ required: ["ignoreCase"] }, operatorIn(caseOperators))

function operatorIn(names: readonly string[]): object {
  return { properties: { operator: { enum: names } }, required: ["operator"] }
}

function forEachRule(rule: object) {
  const rules = { properties: { rules: { items: rule } } }
  return { properties: { environments: { additionalProperties: rules } } }
}
