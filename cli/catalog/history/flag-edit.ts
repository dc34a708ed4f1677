import { type Content, contentText, readContent, valueText } from "../versions/content.ts"
import type { KeptVersion } from "../versions/kept-version.ts"
import { formOf, type RulesForm } from "./stand-ins.ts"

/** An edit of rules and of nothing else, or a new flag: what is said of it depends on the flag's key at most. */
export interface FlagEdit {
  /** Equal for edits that differ in nothing but the flag. */
  readonly name: string
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
  readonly text: string
  /** A short name: how many were read before it. */
  readonly position: number
  readonly form: RulesForm | undefined
}

/** Makes the function that reads edits; `undefined` for one that is more than that, or in which segments take part. */
export function createEditReader(): (
  before: KeptVersion | undefined,
  after: KeptVersion,
) => FlagEdit | undefined {
  const known = new Map<string, ReadContent>()
  const values = new Map<string, number>()
  const read = (text: string): ReadContent => {
    const before = known.get(text)
    if (before !== undefined) return before
    const content = readContent(text)
    const own = { ...content, text, position: known.size, form: formOf(content.rules) }
    known.set(text, own)
    return own
  }
  return (before, after) => {
    if (after.inSegments !== undefined || before?.inSegments !== undefined) return undefined
    const contents = before === undefined ? newContents(after, read) : editedContents(before, after, read)
    if (contents === undefined) return undefined
    const value = valueText(after)
    const position = values.get(value) ?? values.size
    values.set(value, position)
    let name = `${before === undefined ? "added" : "kept"} ${position}`
    for (const own of contents) name += ` ${own.environment} ${own.before.position} ${own.after.position}`
    return { name, before, after, contents }
  }
}

type Read = (text: string) => ReadContent

function newContents({ configurations }: KeptVersion, read: Read): readonly EditedContent[] {
  const contents: EditedContent[] = []
  for (const [environment, configuration] of configurations) {
    const content = read(contentText(configuration))
    contents.push({ environment, before: content, after: content })
  }
  return contents
}

/** Of versions that differ in the contents of some environments, and in nothing else; `undefined` for any others. */
function editedContents(
  before: KeptVersion,
  after: KeptVersion,
  read: Read,
): readonly EditedContent[] | undefined {
  if (before.flag !== after.flag || before.people !== after.people) return undefined
  if (before.configurations.size !== after.configurations.size) return undefined
  const contents: EditedContent[] = []
  for (const [environment, one] of before.configurations) {
    const other = after.configurations.get(environment)
    if (other === undefined) return undefined
    if (one === other) continue
    const [text, newText] = [contentText(one), contentText(other)]
    if (one.slice(0, -text.length) !== other.slice(0, -newText.length)) return undefined // the ids differ
    contents.push({ environment, before: read(text), after: read(newText) })
  }
  return contents
}
