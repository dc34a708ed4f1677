import { environmentNamePattern, isEnvironmentName } from "../../proxy/contract/environment-name.ts"
import { groupKinds } from "../../sdk/evaluation/condition.ts"
import { isOperator } from "../../sdk/evaluation/operators.ts"
import type { Report } from "../diagnostics/diagnostic.ts"
import { didYouMean, list, quoted } from "../diagnostics/suggest.ts"
import { operators } from "../language/operators.ts"
import { memberOf, type Node, nodeAt, type ParsedFile, type Text, toValue } from "../language/tree.ts"
import { checkAttributes } from "./check-attributes.ts"
import { checkGlobs } from "./check-globs.ts"
import { checkFastLane } from "./fast-lane.ts"
import { projectFileSchema } from "./grammar/project-schema.ts"
import { checkShape } from "./shape.ts"

/** Reports every mistake of a project file. */
export function checkProject(file: ParsedFile, report: Report): void {
  checkShape(file, projectFileSchema, report)
  checkEnvironments(file, report)
  checkOperators(file, report)
  checkProtected(file, report)
  checkExceptions(file, report)
  checkManyChange(file, report)
  checkFastLane(
    file,
    itemsOf(file, "environments").flatMap((node) => environmentName(node).map(({ text }) => text)),
    report,
  )
  checkAttributes(file, report)
  checkGlobs(file.source, itemsOf(file, "ignore"), report)
}

function checkEnvironments(file: ParsedFile, report: Report): void {
  const { source } = file
  const seen: EnvironmentName[] = []
  for (const name of itemsOf(file, "environments").flatMap(environmentName)) {
    if (environmentNamePattern.test(name.text) && !isEnvironmentName(name.text)) {
      const message = `No environment can be named \`${name.text}\`: dist/manifest.json is the manifest.`
      report.add({ code: "bad-name", message, source, span: name.span })
    }
    const first = seen.find(
      (other) => other.text.toLowerCase() === name.text.toLowerCase() || other.id === name.id,
    )
    seen.push(name)
    if (first === undefined) continue
    report.add({
      code: "duplicate-environment",
      message: sameEnvironment(name, first),
      source,
      span: name.span,
      related: [{ message: "The first is here.", location: { source, span: first.span } }],
    })
  }
}

/** If it is a number, it is a percentage: from 0 to 100. */
function checkManyChange({ root, source }: ParsedFile, report: Report): void {
  const diff = root.kind === "mapping" ? memberOf(root, "diff")?.value : undefined
  const most = diff?.kind === "mapping" ? memberOf(diff, "manyChange")?.value : undefined
  const value = most && toValue(most)
  if (most === undefined || typeof value !== "number" || (value >= 0 && value <= 100)) return
  report.add({
    code: "wrong-type",
    message: "`manyChange` is a percentage of users: write a number from 0 to 100.",
    source,
    span: most,
  })
}

interface EnvironmentName extends Text {
  readonly id: string
}

function sameEnvironment(name: EnvironmentName, first: EnvironmentName): string {
  const [both, twice] = [list([first.text, name.text]), quoted(name.text)]
  if (name.text === first.text) return `The environment ${twice} appears twice. Remove one of them.`
  if (name.text.toLowerCase() === first.text.toLowerCase())
    return `${both} differ only in case, and some file systems use one file for both. Rename or remove one of them.`
  return `${both} have the same id ${quoted(name.id)}. Change one of them.`
}

/** An environment's name and id if they are text; nothing otherwise. */
function environmentName(node: Node): readonly EnvironmentName[] {
  const name = node.kind === "mapping" ? memberOf(node, "name")?.value : node
  const id = node.kind === "mapping" ? memberOf(node, "id")?.value : undefined
  if (name?.kind !== "scalar" || typeof name.value !== "string") return []
  const written = id?.kind === "scalar" && typeof id.value === "string" ? id.value : name.value
  return [{ text: name.value, span: node, id: written }]
}

function checkOperators(file: ParsedFile, report: Report): void {
  const known = new Set<unknown>([...operators.keys(), ...groupKinds])
  const isKnown = (operator: unknown) =>
    known.has(operator) || (typeof operator === "string" && isOperator(operator))
  for (const node of itemsOf(file, "operators")) {
    const operator = toValue(node)
    if (isKnown(operator)) {
      const message = `The operator \`${operator}\` is already defined. Remove it here.`
      report.add({ code: "bad-name", message, source: file.source, span: node })
    }
    known.add(operator)
  }
}

function checkProtected(file: ParsedFile, report: Report): void {
  const names = itemsOf(file, "environments")
    .flatMap(environmentName)
    .map(({ text }) => text)
  if (names.length === 0) return // every name would be unknown
  for (const node of itemsOf(file, "protected")) {
    const name = toValue(node)
    if (typeof name !== "string" || names.includes(name)) continue
    const message = `Unknown environment ${quoted(name)}${didYouMean(name, names)}`
    report.add({ code: "unknown-environment", message, source: file.source, span: node })
  }
}

/** Each tag that exempts a flag, or sets when it is stale, is in the project's `tags`. */
function checkExceptions(file: ParsedFile, report: Report): void {
  const tags = itemsOf(file, "tags").map(toValue)
  if (tags.length === 0) return
  const excepted = itemsOf(file, "require").flatMap((requirement) => {
    const list = nodeAt(requirement, ["exceptTagged"])?.node
    return list?.kind === "sequence" ? list.items.map((node) => ({ tag: toValue(node), span: node })) : []
  })
  const byTag = nodeAt(file.root, ["stale", "byTag"])?.node
  const timed = byTag?.kind === "mapping" ? byTag.members : []
  for (const { tag, span } of [
    ...excepted,
    ...timed.map(({ name, nameSpan }) => ({ tag: name, span: nameSpan })),
  ]) {
    if (typeof tag !== "string" || tags.includes(tag)) continue
    const known = tags.filter((one) => typeof one === "string")
    const message = `Unknown tag ${quoted(tag)}${didYouMean(tag, known)}`
    report.add({ code: "unknown-tag", message, source: file.source, span })
  }
}

function itemsOf({ root }: ParsedFile, name: string): readonly Node[] {
  const list = root.kind === "mapping" ? memberOf(root, name)?.value : undefined
  return list?.kind === "sequence" ? list.items : []
}
