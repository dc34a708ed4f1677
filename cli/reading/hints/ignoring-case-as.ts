import type { Edit, SourceFile, Span } from "../../diagnostics/diagnostic.ts"
import { type MappingNode, memberOf } from "../../language/tree.ts"
import { hasAnchors } from "./quote.ts"

/**
 * The edit that replaces the operator and adds `ignoreCase: true`; `undefined` if an alias may need the old operator.
 */
export function ignoringCaseAs(
  name: string,
  { start, end }: Span,
  comparison: MappingNode,
  source: SourceFile,
): Edit | undefined {
  const member = memberOf(comparison, "operator")
  if (member === undefined || hasAnchors(source)) return undefined
  if (memberOf(comparison, "ignoreCase") !== undefined) return { start, end, text: name }
  const begin = source.text.lastIndexOf("\n", member.nameSpan.start) + 1
  const indentation = " ".repeat(member.nameSpan.start - begin)
  const between = source.text.charAt(comparison.start) === "{" ? ", " : `\n${indentation}`
  return { start, end, text: `${name}${between}ignoreCase: true` }
}
