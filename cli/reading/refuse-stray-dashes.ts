import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { list } from "../diagnostics/suggest.ts"
import { type Member, memberOf, type Node } from "../language/tree.ts"
import { ruleMembers } from "./grammar/schema.ts"

/**
 * Reports a rule whose fields each have their own dash, so that YAML reads each as a rule. Returns whether there is one.
 * Only the first of a list is reported.
 */
export function refuseStrayDashes(root: Node, source: SourceFile, report: Report): boolean {
  let found = false
  for (const rules of ruleLists(root)) {
    const run = firstRun(rules)
    const [first, ...rest] = run
    if (first === undefined || rest[0] === undefined) continue
    const names = list(rest.map(({ name }) => name))
    report.add({
      code: "missing-field",
      message: `These ${run.length} items are one rule. Remove the dash before ${names}, and start each in the column of \`${first.name}\`.`,
      source,
      span: rest[0].nameSpan,
    })
    found = true
  }
  return found
}

function ruleLists(root: Node): readonly (readonly Node[])[] {
  const environments = root.kind === "mapping" ? memberOf(root, "environments")?.value : undefined
  if (environments?.kind !== "mapping") return []
  return environments.members.flatMap(({ value }) => {
    const rules = value.kind === "mapping" ? memberOf(value, "rules")?.value : undefined
    return rules?.kind === "sequence" ? [rules.items] : []
  })
}

/** The fields of the first neighbouring items that have a single field each, and together those of one rule. */
function firstRun(items: readonly Node[]): readonly Member[] {
  let run: Member[] = []
  for (const item of items) {
    const field = item.kind === "mapping" && item.members.length === 1 ? item.members[0] : undefined
    const isNext =
      field !== undefined && fields.includes(field.name) && !run.some(({ name }) => name === field.name)
    if (isNext) run.push(field)
    else if (isRule(run)) return run
    else run = []
  }
  return isRule(run) ? run : []
}

function isRule(run: readonly Member[]): boolean {
  return run.length > 1 && run.some(({ name }) => name === "operator" || name === "returnValue")
}

/** Those of a rule that is not complete with one of them alone, as it is with `split`. */
const fields = ruleMembers.filter((name) => name !== "split")
