import type { Report, Span } from "../diagnostics/diagnostic.ts"
import type { Flag, Rule } from "../language/flag.ts"
import type { Node } from "../language/tree.ts"

/** Whether a rule has no mistakes but in its value and its id, so that it is known who matches it. */
export type IsSound = (rule: Rule) => boolean

/** Takes the errors that have been found in the flag so far. */
export function soundRules({ source, configurations }: Flag, { diagnostics }: Report): IsSound {
  const errors = diagnostics.flatMap(({ severity, location }) =>
    severity === "error" && location.source === source ? location.span : [],
  )
  if (errors.length === 0) return () => true
  const rules = [...configurations.values()].flatMap((configuration) => configuration.rules)
  const byItem = Map.groupBy(rules, ({ item }) => item)
  return ({ item }) => {
    const own = byItem
      .get(item)
      ?.flatMap(({ givesNode, writtenId }) => [givesNode ?? [], writtenId?.span ?? []])
    const values = own?.flat() ?? []
    return !errors.some((error) => isIn(item.node, error) && !values.some((value) => isWithin(error, value)))
  }
}

/** Whether a span is in a value. An alias has its anchor's place, which may be elsewhere in the file. */
function isIn(node: Node, span: Span): boolean {
  if (isWithin(span, node)) return true
  if (node.kind === "sequence") return node.items.some((item) => isIn(item, span))
  return node.kind === "mapping" && node.members.some(({ value }) => isIn(value, span))
}

function isWithin({ start, end }: Span, around: Span): boolean {
  return around.start <= start && end <= around.end
}
