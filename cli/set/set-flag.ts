import type { Json } from "../../sdk/contract/snapshot.ts"
import { createReport, type Edit } from "../diagnostics/diagnostic.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import { applyEdits } from "../edit/apply-edits.ts"
import {
  configurationEdit,
  type FileEdit,
  type FlagFile,
  fileEdit,
  type WantedConfiguration,
  writeConfiguration,
} from "../edit/write-configuration.ts"
import { newRule, writtenRules } from "../edit/written-rules.ts"
import { sameValue } from "../language/canonical-json.ts"
import { always } from "../language/condition.ts"
import { nodeAt, toValue } from "../language/tree.ts"
import { parseSource } from "../yaml/parse.ts"
import { chooseShare, type NewShare } from "./choose-share.ts"
import { type Refusal, refused } from "./refusal.ts"

/** What a flag should do in an environment. */
export type Setting =
  | { readonly kind: "enabled"; readonly enabled: boolean }
  | ({ readonly kind: "share" } & NewShare)
  /** Everyone gets the value. */
  | { readonly kind: "everyone"; readonly value: Json }

/** The same in several environments, or in none of them. */
export function setConfigurations(
  file: FlagFile,
  environments: readonly string[],
  setting: Setting,
): FileEdit | Refusal {
  let edited: FileEdit = { kind: "same" }
  let current = file
  const startOf = (name: string) => nodeAt(file.root, ["environments", name])?.member?.nameSpan.start ?? 0
  // The last in the file first, so that an alias is written out before what it stands for changes.
  for (const environment of environments.toSorted((a, b) => startOf(b) - startOf(a))) {
    const next = setConfiguration(current, environment, setting)
    if (next.kind === "refused") return refused(`${environment}: ${next.reason}`)
    if (next.kind === "layout") return next
    if (next.kind === "same") continue
    const root = parseSource(next.source, createReport())?.root
    if (root?.kind !== "mapping") return { kind: "layout" }
    current = { source: next.source, root }
    const lostComments: readonly string[] = [
      ...(edited.kind === "edited" ? edited.lostComments : []),
      ...next.lostComments,
    ]
    edited = { ...next, lostComments }
  }
  return edited
}

/**
 * Makes a setting true in an environment, by the smallest edit of the flag's text. If everyone should get the default,
 * the flag is disabled, and keeps its rules. The file has no errors.
 */
function setConfiguration(file: FlagFile, environment: string, setting: Setting): FileEdit | Refusal {
  const place = ["environments", environment]
  const configuration = nodeAt(file.root, place)?.node
  const isConfigured = configuration?.kind === "mapping"
  const isEnabled = valueAt(file, [...place, "enabled"]) === true
  const rules = isConfigured ? writtenRules(file.source, configuration, false) : []

  if (setting.kind === "share") {
    const chosen = chooseShare(rules, setting)
    if (chosen.kind === "refused") return chosen
    if (!isEnabled && chosen.rules.length > 1)
      return refused("it is off, and all of its rules would go live: switch it on with --on first")
    const { field } = chosen
    const edits =
      field === undefined ? [] : [edit(file, [...place, "rules", ...field.path], field.text, field.isNamed)]
    const enable = isEnabled || !isConfigured ? [] : [edit(file, [...place, "enabled"], "true")]
    const wanted = { enabled: true, rules: chosen.rules }
    return narrowly(file, environment, wanted, field === undefined ? [] : [...enable, ...edits])
  }

  if (setting.kind === "everyone" && !sameValue(setting.value, valueAt(file, ["defaultValue"]))) {
    const fields = { operator: always.operator, returnValue: setting.value }
    const everyone = newRule(fields, { comments: [], start: 0, ...(rules[0]?.lines && { lines: [] }) })
    return writeConfiguration(file, environment, { enabled: true, rules: [everyone] })
  }
  const enabled = setting.kind === "enabled" && setting.enabled
  if (!isConfigured && enabled)
    return refused("it has no rules, so everyone would still get the default: use --everyone or --share")
  if (!isConfigured) return { kind: "same" }
  return narrowly(file, environment, { enabled, rules }, [edit(file, [...place, "enabled"], String(enabled))])
}

/** Gives a flag another default. The file has no errors. */
export function setDefault(file: FlagFile, value: Json): FileEdit {
  const text = applyEdits(file.source.text, [edit(file, ["defaultValue"], yamlLine(value))])
  return fileEdit(file, text, (content) => ({ ...content, defaultValue: value }))
}

/** Edits only some values or, if anchors and aliases do not allow it, writes the configuration anew. */
function narrowly(
  file: FlagFile,
  environment: string,
  wanted: WantedConfiguration,
  edits: readonly Edit[],
): FileEdit {
  if (edits.length > 0) {
    const inOrder = edits.toSorted((left, right) => left.start - right.start)
    const edited = configurationEdit(file, environment, wanted, applyEdits(file.source.text, inOrder))
    if (edited.kind !== "layout") return edited
  }
  return writeConfiguration(file, environment, wanted)
}

/** Replaces the value at a path, which is there, or its name and it. A comment beside the last of several lines leaves with them. */
function edit({ root, source }: FlagFile, path: readonly string[], text: string, isNamed = false): Edit {
  const { node = { start: 0, end: 0 }, member } = nodeAt(root, path) ?? {}
  if (!isNamed || member === undefined) return { start: node.start, end: node.end, text }
  const { start } = member.nameSpan
  const isOnLines = source.text.slice(start, node.end).includes("\n")
  const [comment = ""] = (isOnLines && /^[ \t]*#.*/.exec(source.text.slice(node.end))) || []
  return { start, end: node.end + comment.length, text }
}

function valueAt({ root }: FlagFile, path: readonly string[]): Json | undefined {
  const found = nodeAt(root, path)
  return found && toValue(found.node)
}
