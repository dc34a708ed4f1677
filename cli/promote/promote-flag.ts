import type { Json } from "../../sdk/contract/snapshot.ts"
import type { Definition } from "../compile/definition/definition.ts"
import { sameValue } from "../compile/meaning/canonical-json.ts"
import { parseSource } from "../compile/yaml/parse.ts"
import { type MappingNode, memberOf, type Node, toValue } from "../compile/yaml/tree.ts"
import { createReport, type SourceFile } from "../diagnostics/diagnostic.ts"
import { commentsOf } from "../edit/comments.ts"
import { chooseRules, type FirstShare } from "./choose-rules.ts"
import { editConfiguration } from "./edit-configuration.ts"
import { type WrittenRule, writtenRules } from "./written-rules.ts"

/** Where a flag's configuration is copied from and to, and how. */
export interface PromoteRequest {
  readonly from: string
  readonly to: string
  /** What happens to rules that only the target has. `undefined`: the promotion is refused. */
  readonly own: "replace" | "append" | undefined
  readonly share: FirstShare | undefined
}

/** What happens to a flag's file. */
export type Promotion =
  | { readonly kind: "edited"; readonly source: SourceFile; readonly lostComments: readonly string[] }
  | { readonly kind: "same" }
  /** The source does not configure the flag. */
  | { readonly kind: "absent" }
  | { readonly kind: "own-rules"; readonly rules: readonly WrittenRule[] }
  | { readonly kind: "split" }
  /** The edit would change something else, or would not parse as the wanted configuration. */
  | { readonly kind: "layout" }

/** Copies an environment's `enabled` and `rules` to another environment in a flag's text. The definition has no errors. */
export function promoteFlag({ source, root }: Definition, request: PromoteRequest): Promotion {
  const { from, to, own: ownRules, share } = request
  const environments = mappingOf(memberOf(root, "environments")?.value)
  const origin = environments && memberOf(environments, from)
  const configuration = mappingOf(origin?.value)
  if (environments === undefined || origin === undefined || configuration === undefined)
    return { kind: "absent" }
  const target = mappingOf(memberOf(environments, to)?.value)
  const isOn = target !== undefined && isEnabled(target)
  const chosen = chooseRules(
    writtenRules(source, configuration, true),
    target === undefined ? [] : writtenRules(source, target, false),
    { append: ownRules === "append", share, isOn },
  )
  if (chosen === undefined) return { kind: "split" }
  const { rules, own } = chosen
  if (own.length > 0 && ownRules === undefined) return { kind: "own-rules", rules: own }
  const enabled = isEnabled(configuration)
  const before = { rules: [], ...(target && (toValue(target) as object)) }
  const meant = { ...before, enabled, rules: rules.map(({ fields }) => fields) }
  if (sameValue(meant, before)) return { kind: "same" }

  const text = editConfiguration(source.text, { environments, from: origin, to, enabled, rules })
  const edited = { path: source.path, text }
  const report = createReport()
  const after = parseSource(edited, report)?.root
  const isMeant =
    after !== undefined && sameValue(withConfiguration(after, to), withConfiguration(root, to, meant))
  if (!isMeant || report.hasErrors) return { kind: "layout" }
  return { kind: "edited", source: edited, lostComments: lost(source.text, text) }
}

/** A file's content with an environment's new configuration; missing `rules` count as an empty list. */
function withConfiguration(root: Node, environment: string, configuration?: object): Json {
  const { environments, ...file } = toValue(root) as { environments?: Record<string, Json> }
  const own = configuration ?? { rules: [], ...(environments?.[environment] as object | undefined) }
  return { ...file, environments: { ...environments, [environment]: own as Json } }
}

function mappingOf(node: Node | undefined): MappingNode | undefined {
  return node?.kind === "mapping" ? node : undefined
}

function isEnabled(configuration: MappingNode): boolean {
  const enabled = memberOf(configuration, "enabled")?.value
  return enabled?.kind === "scalar" && enabled.value === true
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
