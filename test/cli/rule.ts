import { never } from "../../cli/language/condition.ts"
import type { Configuration, Flag, Rule } from "../../cli/language/flag.ts"
import type { MappingNode } from "../../cli/language/tree.ts"
import type { Rule as SentRule } from "../../sdk/contract/snapshot.ts"
import { decode } from "./decode.ts"

const node: MappingNode = { kind: "mapping", members: [], start: 0, end: 0 }

/** The rule of a flag that SDKs get so. */
export function ruleOf(sent: SentRule, number = 1, key?: string): Rule {
  const condition = decode(sent, key) ?? never
  const item = { node, id: undefined, condition, split: undefined, returnValue: undefined }
  const { returnValue: gives } = sent
  return { number, item, writtenId: undefined, condition, gives, givesNode: undefined, node, sent }
}

/** A flag that is configured in one environment. */
export function flagWith(
  { key, defaultValue }: Pick<Flag, "key" | "defaultValue">,
  environment: string,
  configuration: { readonly enabled: boolean; readonly rules: readonly SentRule[] } | null,
): Flag {
  const own = { environment, id: "", flagId: "", environmentId: "", writtenId: undefined, items: [] }
  const place = { node, nameSpan: node }
  const rules = configuration?.rules.map((rule, at) => ruleOf(rule, at + 1, key)) ?? []
  const configured: Configuration = { ...own, ...place, enabled: configuration?.enabled === true, rules }
  return {
    ...{ source: { path: "", text: "" }, root: node, key, keySpan: undefined, id: key, writtenId: undefined },
    ...{ projectId: "", name: key, description: "", type: undefined, defaultValue, defaultNode: undefined },
    ...{ expires: undefined, attributes: undefined, references: { names: [], get: () => undefined } },
    configurations: new Map(configuration === null ? [] : [[environment, configured]]),
  }
}
