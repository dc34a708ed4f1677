import type { DocsLink } from "../docs-address.ts"
import type { KnownAttribute } from "../language/known-attributes.ts"
import { operators } from "../language/operators.ts"
import type { SegmentWord } from "../reading/references.ts"

/** The parts of a schema that contain an author's values, not schemas. */
const values = new Set(["examples", "enum", "const", "required"])

/** The sections of docs/flag-files.md about a member and everything below it. */
const sections: ReadonlyMap<string, string> = new Map([
  ["rules", "rules"],
  ["all", "several-conditions"],
  ["any", "several-conditions"],
  ["none", "several-conditions"],
  ["segment", "segments"],
  ["split", "splits"],
  ["attributes", "known-attributes"],
  ["require", "project-wide-checks"],
  ["ignore", "project-wide-checks"],
])

/**
 * A schema with descriptions in Markdown, for editors that show them, and in plain text, and with a title for each member,
 * which editors would otherwise take from the file's schema. `docs` links each to the section
 * about its member, or else to `section`.
 */
export function forEditors(schema: object, section: string, docs: DocsLink | undefined): object {
  return decorate(schema, section, docs) as object
}

/** `title`: the member that the schema is for. */
function decorate(schema: unknown, section: string, docs: DocsLink | undefined, title?: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => decorate(item, section, docs))
  if (typeof schema !== "object" || schema === null) return schema
  const kept = Object.entries(schema).filter(
    ([name, part]) => name !== "examples" || part.every(isCompletable),
  )
  const parts = kept.map(([name, part]) => {
    if (name === "properties") return [name, decorateMembers(part, section, docs)] as const
    return [name, values.has(name) ? part : decorate(part, sections.get(name) ?? section, docs)] as const
  })
  const decorated: Readonly<Record<string, unknown>> = Object.fromEntries(parts)
  const { description } = decorated
  if (typeof description !== "string") return decorated
  const link = docs === undefined ? "" : `\n\n[Flag files](${docs(section)})`
  return {
    ...(title !== undefined && { title }),
    ...decorated,
    description: plain(description),
    markdownDescription: `${description}${link}`,
  }
}

/** Of an example with mappings, the server that editors run writes `[object Object]`; the members' snippets write them. */
function isCompletable(example: unknown): boolean {
  return [example].flat().every((value) => typeof value !== "object")
}

function decorateMembers(members: object, section: string, docs: DocsLink | undefined): object {
  const decorated = Object.entries(members).map(([name, schema]) => [
    name,
    decorate(schema, sections.get(name) ?? section, docs, name),
  ])
  return Object.fromEntries(decorated)
}

/** The operators' descriptions, in order; those that the project adds share one. */
export function operatorDescriptions(projectOperators: readonly string[]): object {
  const own = projectOperators.map(() => "A custom operator of this project, evaluated only by its SDKs.")
  const descriptions = [...[...operators.values()].map(({ summary }) => summary), ...own]
  return { enumDescriptions: descriptions.map(plain), markdownEnumDescriptions: descriptions }
}

/** The names of attributes that the project file lists, with their descriptions. */
export function attributeDescriptions(attributes: readonly KnownAttribute[]): object {
  const descriptions = attributes.map(({ type, description, values }) => {
    const only = values === undefined || type === "boolean" ? "" : ` (${values.join(", ")})`
    return `${[type, description].filter(Boolean).join(": ")}${only}`.trim()
  })
  return { enum: attributes.map(({ name }) => name), enumDescriptions: descriptions, examples: [] }
}

/** The names of the segments, with their descriptions. */
export function segmentDescriptions(segments: readonly SegmentWord[]): object {
  const descriptions = segments.map(({ description }) => description)
  return { enum: segments.map(({ name }) => name), enumDescriptions: descriptions, examples: [] }
}

function plain(markdown: string): string {
  return markdown.replaceAll("`", "")
}
