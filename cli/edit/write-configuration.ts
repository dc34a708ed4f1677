import type { Json } from "../../sdk/contract/snapshot.ts"
import { createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import { sameValue } from "../language/canonical-json.ts"
import type { Flag } from "../language/flag.ts"
import { memberOf, type Node, toValue } from "../language/tree.ts"
import type { Fields } from "../language/written-condition.ts"
import { parseSource } from "../yaml/parse.ts"
import { applyEdits } from "./apply-edits.ts"
import { commentsOf } from "./comments.ts"
import { editConfiguration } from "./edit-configuration.ts"
import type { WrittenRule } from "./written-rules.ts"

/** A flag's file, as it was read. */
export type FlagFile = Pick<Flag, "source" | "root">

/** A flag's configuration in an environment, as it should be written. */
export interface WantedConfiguration {
  readonly enabled: boolean
  readonly rules: readonly WrittenRule[]
}

/** What happens to a flag's file. */
export type FileEdit =
  | { readonly kind: "edited"; readonly source: SourceFile; readonly lostComments: readonly string[] }
  | { readonly kind: "same" }
  /** The edit would change something else, or would not parse as what is wanted. */
  | { readonly kind: "layout" }

/**
 * Writes a configuration in place of the one that the environment has, or as a new one: after that of another
 * environment, or at the end.
 */
export function writeConfiguration(
  file: FlagFile,
  environment: string,
  wanted: WantedConfiguration,
  another?: string,
): FileEdit {
  const { text } = file.source
  const environments = memberOf(file.root, "environments")?.value
  const { members } = environments?.kind === "mapping" ? environments : { members: [] }
  const after = members.find(({ name }) => name === another) ?? members.at(-1)
  if (environments?.kind !== "mapping" || after === undefined)
    return configurationEdit(file, environment, wanted, withFirst(text, environment, wanted, environments))
  const edited = editConfiguration(text, { ...wanted, environments, environment, after })
  return configurationEdit(file, environment, wanted, edited)
}

/** The text of a file that configures no environment, with its first configuration: in its empty braces, or at the end. */
function withFirst(
  text: string,
  environment: string,
  { enabled, rules }: WantedConfiguration,
  empty: Node | undefined,
): string {
  const content = { enabled, rules: rules.map(({ fields }) => fields) }
  if (empty === undefined)
    return `${text}${text.endsWith("\n") ? "" : "\n"}environments:\n  ${yamlLine(environment)}: ${yamlLine(content)}\n`
  const { start, end } = empty
  return applyEdits(text, [{ start, end, text: yamlLine({ [environment]: content }) }])
}

/** The file with a new text, if the text gives the environment this configuration and changes nothing else. */
export function configurationEdit(
  file: FlagFile,
  environment: string,
  { enabled, rules }: WantedConfiguration,
  text: string,
): FileEdit {
  return fileEdit(file, text, (content) => {
    const environments = content.environments as Fields | undefined
    const configuration = environments?.[environment] as Fields | undefined
    const wanted = { ...configuration, enabled, rules: rules.map(({ fields }) => fields) }
    return { ...content, environments: { ...environments, [environment]: wanted } }
  })
}

/**
 * The file with a new text, if the text says what `change` makes of the file's content. It is read again, so that an
 * anchor with other users, or a rare layout, changes nothing else.
 */
export function fileEdit(
  { source, root }: FlagFile,
  text: string,
  change: (content: Fields) => Fields,
): FileEdit {
  const before = toValue(root) as Fields
  const meant = withRules(change(before))
  if (sameValue(withRules(before), meant)) return { kind: "same" }
  const edited = { path: source.path, text }
  const report = createReport()
  const after = parseSource(edited, report)?.root
  if (after === undefined || report.hasErrors) return { kind: "layout" }
  if (!sameValue(withRules(toValue(after) as Fields), meant)) return { kind: "layout" }
  return { kind: "edited", source: edited, lostComments: lost(source.text, text) }
}

/** A file's content, in which a configuration without rules has an empty list. */
function withRules({ environments, ...content }: Fields): Fields {
  if (environments === undefined) return content
  const entries = Object.entries(environments as Fields)
  const completed = entries.map(([name, configuration]) => [
    name,
    { rules: [], ...(configuration as Fields) },
  ])
  return { ...content, environments: Object.fromEntries(completed) as Json }
}

/** The comments that an edit removed. */
function lost(before: string, after: string): readonly string[] {
  const left = commentsOf(after).split("\n")
  return commentsOf(before)
    .split("\n")
    .filter((comment) => {
      const at = left.indexOf(comment)
      if (at !== -1) left.splice(at, 1)
      return at === -1
    })
}
