import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { operators } from "../language/operators.ts"
import { type MappingNode, type Member, memberOf, type Node } from "../language/tree.ts"
import { ruleMembers } from "./grammar/schema.ts"
import { writtenAs } from "./hints/quote.ts"

/**
 * Reports a comma in braces that was meant as part of a value: in `{ to: 12,5 }` and `{ value: DE, AT }`, YAML reads the
 * rest as members without values. Returns whether there is one.
 */
export function refuseStrayCommas(node: Node, source: SourceFile, report: Report): boolean {
  let found = false
  if (node.kind === "sequence")
    for (const item of node.items) found = refuseStrayCommas(item, source, report) || found
  if (node.kind !== "mapping") return found
  for (const [at, member] of node.members.entries()) {
    const rest = strays(node.members.slice(at + 1), source)
    const meant = rest.length === 0 ? undefined : meantBy(member, rest, node, source)
    if (meant !== undefined && rest[0] !== undefined) {
      report.add({ code: "unknown-field", message: meant, source, span: rest[0].nameSpan })
      found = true
    }
    // A flag's own values, and their schema, may have members of any name.
    if (!["defaultValue", "returnValue", "is", "schema"].includes(member.name))
      found = refuseStrayCommas(member.value, source, report) || found
  }
  return found
}

/** The leading members without values. */
function strays(members: readonly Member[], source: SourceFile): readonly Member[] {
  const end = members.findIndex(
    ({ name, nameSpan, value }) =>
      value.kind !== "scalar" ||
      value.value !== null ||
      ruleMembers.includes(name) ||
      !/^\s*[,}]/.test(source.text.slice(nameSpan.end, nameSpan.end + 100)),
  )
  return end === -1 ? members : members.slice(0, end)
}

function meantBy(
  { name, value }: Member,
  rest: readonly Member[],
  around: MappingNode,
  source: SourceFile,
): string | undefined {
  if (value.kind !== "scalar" || value.value === null) return undefined
  const first = typeof value.value === "string" ? value.value : writtenAs(value, source)
  const parts = [first, ...rest.map((member) => member.name)]
  const operator = memberOf(around, "operator")?.value
  const isOfList = operator?.kind === "scalar" && operators.get(String(operator.value))?.takesList
  const isNumber = parts.length === 2 && /^-?\d+$/.test(first) && /^\d+$/.test(parts[1] ?? "")
  if (isNumber && !isOfList) {
    const decimal = name === "value" ? JSON.stringify(parts.join(".")) : parts.join(".")
    return `Decimals need a point: write ${quoted(`${name}: ${decimal}`)}.`
  }
  const shown = parts.length > mostShown ? [...parts.slice(0, mostShown - 1), ...parts.slice(-1)] : parts
  const list = shown.map((part) => JSON.stringify(part)).join(", ")
  return name === "value" ? `A list needs brackets: write ${quoted(`value: [${list}]`)}.` : undefined
}

/** Of a pasted list of hundreds, the first few and the last are enough. */
const mostShown = 8
