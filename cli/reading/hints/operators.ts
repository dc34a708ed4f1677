import type { GroupKind } from "../../../sdk/evaluation/condition.ts"
import { parseMoment } from "../../../sdk/evaluation/moment.ts"
import { isExpression } from "../../../sdk/evaluation/operators.ts"
import type { Edit, SourceFile } from "../../diagnostics/diagnostic.ts"
import { didYouMean, quoted } from "../../diagnostics/suggest.ts"
import { operators } from "../../language/operators.ts"
import type { Order } from "../../language/question.ts"
import { inOrder } from "../../language/related-operators.ts"
import { type MappingNode, memberOf, type Node, type ScalarNode, toValue } from "../../language/tree.ts"
import { renaming } from "./quote.ts"

/** The operators by their names and by what other tools call them. */
const known: ReadonlyMap<string, string> = new Map([
  ...[...operators.keys()].map((name) => [withoutEndings(plainOf(name)), name] as const),
  ...[...operators].flatMap(([name, { synonyms }]) => synonyms.map((word) => [word, name] as const)),
])

const inPlace = "instead of `attribute`, `operator` and `value`."
const ofSegment = `Write \`segment: staff\` ${inPlace}`
const ofShare = `Write \`share: { by: userId, to: 25 }\` ${inPlace}`
const groupOf = (kind: GroupKind) => `Write \`${kind}:\` with a list of conditions ${inPlace}`

/** Conditions that are not comparisons here, by their names on the wire and in other tools. */
const others: ReadonlyMap<string, string> = new Map([
  ...["share", "percent", "rollout", "split"].map((word) => [word, ofShare] as const),
  ["segment", ofSegment],
  ["insegment", ofSegment],
  ["segmentmatch", ofSegment],
  ["flag", `Write \`flag: new-checkout\` ${inPlace}`],
  ...["all", "and"].map((word) => [word, groupOf("all")] as const),
  ...["any", "or"].map((word) => [word, groupOf("any")] as const),
  ...["none", "not", "nor"].map((word) => [word, groupOf("none")] as const),
])

/** The message about an unknown operator, after its name. */
export interface OperatorMeaning {
  readonly tail: string
  /** Present if nothing else can be meant. */
  readonly fix: Edit | undefined
}

/** What an unknown operator means; `allowed` are the operators of the project. */
export function explainOperator(
  node: ScalarNode,
  comparison: Node | undefined,
  allowed: readonly string[],
  source: SourceFile,
): OperatorMeaning {
  const word = String(node.value)
  const around = comparison?.kind === "mapping" ? comparison : undefined
  const only = (tail: string): OperatorMeaning => ({ tail, fix: undefined })
  const plain = plainOf(word)
  const other = others.get(plain)
  if (other !== undefined) return only(`. ${other}`)
  if (plain === "between") {
    const [from, to] = [">=", "<="].map((sign) => {
      const name = known.get(sign) ?? sign
      return quoted(around === undefined ? name : asCompared(name, around))
    })
    return only(`. Write a list of two conditions under \`all\`, one with ${from} and one with ${to}.`)
  }
  const name = meantBy(plain)
  if (name !== undefined) {
    const meant = around === undefined ? name : asCompared(name, around)
    const { operand, takesAttribute } = operators.get(meant) ?? {}
    const has = (member: string) => around !== undefined && memberOf(around, member) !== undefined
    const isLeftOver =
      (operand === "nothing" && has("value")) || (takesAttribute === false && has("attribute"))
    return { tail: `. Write \`${meant}\`.`, fix: isLeftOver ? undefined : renaming(node, meant, source) }
  }
  const cased =
    meantBy(plain.replace(/ignor(e|ing)case$|^caseinsensitive/, "")) ?? meantBy(plain.replace(/^i/, ""))
  if (cased !== undefined && operators.get(cased)?.canIgnoreCase)
    return only(`. Write \`operator: ${cased}\` and \`ignoreCase: true\`.`)
  if (cased !== undefined && isExpression(cased))
    return only(`. Write \`${cased}\`, with \`(?i)\` at the start of the expression.`)
  const [, rest] = /^not(.+)/.exec(withoutVerb(plain)) ?? []
  const positive = rest === undefined ? undefined : meantBy(rest)
  if (positive !== undefined)
    return only(
      `. Write the condition with \`${positive}\` in a list under \`none\`, which also matches users without the attribute.`,
    )
  return only(didYouMean(word, allowed))
}

/** The operator that a sign such as `>=` means for numbers or versions; `undefined` if it is no operator's. */
export function operatorCalled(sign: string, order: Order): string | undefined {
  const name = known.get(sign)
  return name === undefined ? undefined : (inOrder(name, order) ?? name)
}

function meantBy(plain: string): string | undefined {
  return known.get(withoutEndings(plain)) ?? known.get(withoutEndings(withoutVerb(plain)))
}

/** `notcontain` for `doesntcontain`, `startswith` for `strstartswith`. */
function withoutVerb(plain: string): string {
  return plain
    .replace(/^(do|does|is|are)n'?o?t/, "not")
    .replace(/^(does|is|are|str|string|num|number|date)/, "")
}

/** The operator for what is compared: `>=` means one operator for versions and a different one for dates. */
function asCompared(name: string, comparison: MappingNode): string {
  const [value = "", attribute = ""] = ["value", "attribute"].map((member) => {
    const node = memberOf(comparison, member)?.value
    return node === undefined ? "" : String(toValue(node))
  })
  const isVersion = /(?<!con)version/i.test(attribute) || /^v?\d+\.\d+\.\d/.test(value)
  const order = isVersion ? "version" : parseMoment(value) === undefined ? undefined : "moment"
  return (order && inOrder(name, order)) ?? name
}

function plainOf(word: string): string {
  return word.toLowerCase().replace(/[_\-$. ]/g, "")
}

/** `startwith` for `startswith`, `equal` for `equals`. */
function withoutEndings(plain: string): string {
  return plain.replace(/(?<=...)s(?=with|$)/g, "")
}
