import type { Report } from "../diagnostics/diagnostic.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { visit } from "../language/condition.ts"
import type { Invariant } from "../language/flag.ts"
import { memberOf, type Node } from "../language/tree.ts"
import { spanOfCondition } from "../reading/condition.ts"
import { conditionsIn } from "../reading/conditions-in-file.ts"
import type { Project } from "../reading/project.ts"

/** An invariant has known environments, and conditions that mean the same users for every flag. */
export function invariantsAreForEveryFlag(
  invariant: Invariant,
  { environments }: Project,
  report: Report,
): void {
  const { source, root } = invariant
  const known = environments.map((environment) => environment.name)
  const checkEnvironment = (node: Node | undefined) => {
    if (node?.kind !== "scalar" || typeof node.value !== "string" || known.includes(node.value)) return
    const message = `Unknown environment ${quoted(node.value)}${didYouMean(node.value, known)}`
    report.add({ code: "unknown-environment", message, source, span: node })
  }
  const named = memberOf(root, "environments")?.value
  for (const item of named?.kind === "sequence" ? named.items : []) checkEnvironment(item)
  for (const part of conditionsIn(invariant)) {
    const within = part.at && memberOf(part.at.node, "in")
    if (part.kind === "flag") checkEnvironment(within?.value)
    else if (within !== undefined) {
      const message = "`in` is the environment of a flag. Write it next to `flag`."
      report.add({ code: "unknown-field", message, source, span: within.nameSpan })
    }
    if (part.kind !== "segment" && part.kind !== "share") continue
    if (![...visit(part, "meanings")].some((node) => node.kind === "share" && node.seed === undefined))
      continue
    const what = part.kind === "share" ? "this share" : `the share in ${quoted(part.name)}`
    const message = `An invariant belongs to no flag, so ${what} needs a \`seed\` to pick the same users for every flag.`
    report.add({ code: "bad-share", message, source, span: spanOfCondition(part) })
  }
}

/** No two invariants have the same name, by which comparisons of revisions know them. */
export function invariantsHaveNames(invariants: readonly Invariant[], report: Report): void {
  const first = new Map<string, Invariant>()
  for (const invariant of invariants) {
    const { name, source } = invariant
    const earlier = first.get(name.text)
    if (name.text === "") continue
    if (earlier === undefined) first.set(name.text, invariant)
    else {
      const location = { source: earlier.source, span: earlier.name.span }
      const message = `Two invariants are named ${quoted(name.text)}. Rename one of them.`
      const related = [{ message: "The first is here.", location }]
      report.add({ code: "bad-name", message, source, span: name.span, related })
    }
  }
}
