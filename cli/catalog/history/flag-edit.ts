import { hasUse } from "../../compile/meaning/open-condition.ts"
import { type Content, contentText, readContent, valueText } from "../versions/content.ts"
import type { KeptVersion } from "../versions/kept-version.ts"
import { formOf, type RulesForm } from "./stand-ins.ts"

/** What an edit does to the contents of environments, or a new flag: what is said of it depends on the flag's key at most. */
export interface FlagEdit {
  /** Equal for edits that differ in nothing but the flag. */
  readonly name: string
  /** Equal for edits that differ in nothing but the flag and its percentages, as far as these have stand-ins. */
  readonly formName: string
  /** The flag's `valueText`. */
  readonly value: string
  /** `undefined`: the flag is new. */
  readonly before: KeptVersion | undefined
  readonly after: KeptVersion
  readonly contents: readonly EditedContent[]
}

/** An environment that is edited, or in which a new flag is configured: there, both sides are what it has from now on. */
export interface EditedContent {
  readonly environment: string
  readonly before: ReadContent
  readonly after: ReadContent
}

/** What a configuration says, read once wherever it stands. */
export interface ReadContent extends Content {
  /** A short name of it. */
  readonly name: number
  readonly form: RulesForm | undefined
  /** A short name of what it says but for the percentages; of all that it says where these have no stand-ins. */
  readonly formName: number
}

/** Makes the function that reads edits; `undefined` where the default value, ids, environments or segments changed. */
export function createEditReader(): (
  before: KeptVersion | undefined,
  after: KeptVersion,
) => FlagEdit | undefined {
  const known = new Map<string, ReadContent>()
  const names = new Map<string, number>()
  const nameOf = (text: string): number => {
    const name = names.get(text) ?? names.size
    names.set(text, name)
    return name
  }
  const read: Read = (text, uses) => {
    const written = `${text}${uses}`
    const readBefore = known.get(written)
    if (readBefore !== undefined) return readBefore
    const content = readContent(text)
    const [form, name] = [formOf(content.rules), nameOf(written)]
    const formName = form === undefined ? name : nameOf(`${content.enabled} ${form.text}${uses}`)
    const own = { ...content, name, form, formName }
    known.set(written, own)
    return own
  }
  return (before, after) => {
    if (before !== undefined && before.inSegments?.segments !== after.inSegments?.segments) return undefined
    const contents = before === undefined ? newContents(after, read) : editedContents(before, after, read)
    if (contents === undefined) return undefined
    const value = valueText(after.flag)
    const kind = `${before === undefined ? "added" : "kept"} ${nameOf(value)}`
    let [name, formName] = [`edit: ${kind}`, `form: ${kind}`]
    for (const own of contents) {
      name += ` ${own.environment} ${own.before.name} ${own.after.name}`
      formName += ` ${own.environment} ${own.before.formName} ${own.after.formName}`
    }
    return { name, formName, value, before, after, contents }
  }
}

/** Reads a content from its `contentText` and what `usesIn` says of it. */
type Read = (text: string, uses: string) => ReadContent

/** The conditions of rules that use segments, as they are written; `""`: none does. `diff` pairs rules by them. */
function usesIn({ inSegments }: KeptVersion, environment: string): string {
  const rules = inSegments?.open.get(environment)?.rules
  return rules === undefined
    ? ""
    : `\n${JSON.stringify(rules.map(({ condition }) => (hasUse(condition) ? condition : null)))}`
}

function newContents(version: KeptVersion, read: Read): readonly EditedContent[] {
  const contents: EditedContent[] = []
  for (const [environment, configuration] of version.configurations) {
    const content = read(contentText(configuration), "") // what is said of a new flag names no segment
    contents.push({ environment, before: content, after: content })
  }
  return contents
}

/** Where versions differ; `undefined` where that is not all: an environment came or went, or ids or the value changed. */
function editedContents(
  before: KeptVersion,
  after: KeptVersion,
  read: Read,
): readonly EditedContent[] | undefined {
  if (
    valueText(before.flag) !== valueText(after.flag) ||
    before.configurations.size !== after.configurations.size
  )
    return undefined
  const contents: EditedContent[] = []
  for (const [environment, one] of before.configurations) {
    const other = after.configurations.get(environment)
    if (other === undefined) return undefined
    if (one === other) continue
    const [text, newText] = [contentText(one), contentText(other)]
    if (one.slice(0, -text.length) !== other.slice(0, -newText.length)) return undefined // the ids differ
    contents.push({
      environment,
      before: read(text, usesIn(before, environment)),
      after: read(newText, usesIn(after, environment)),
    })
  }
  return contents
}
