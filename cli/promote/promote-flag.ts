import { type FileEdit, type FlagFile, writeConfiguration } from "../edit/write-configuration.ts"
import { type WrittenRule, writtenRules } from "../edit/written-rules.ts"
import { type MappingNode, memberOf, type Node } from "../language/tree.ts"
import { chooseRules, type FirstShare } from "./choose-rules.ts"

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
  | FileEdit
  /** The source does not configure the flag. */
  | { readonly kind: "absent" }
  | { readonly kind: "own-rules"; readonly rules: readonly WrittenRule[] }
  | { readonly kind: "split" }

/** Copies an environment's `enabled` and `rules` to another environment in a flag's text. The definition has no errors. */
export function promoteFlag({ source, root }: FlagFile, request: PromoteRequest): Promotion {
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
  return writeConfiguration({ source, root }, to, { enabled: isEnabled(configuration), rules }, from)
}

function mappingOf(node: Node | undefined): MappingNode | undefined {
  return node?.kind === "mapping" ? node : undefined
}

function isEnabled(configuration: MappingNode): boolean {
  const enabled = memberOf(configuration, "enabled")?.value
  return enabled?.kind === "scalar" && enabled.value === true
}
