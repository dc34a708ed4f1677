import type { Report, Span } from "../diagnostics/diagnostic.ts"
import { didYouMean, list, quoted } from "../diagnostics/suggest.ts"
import { memberOf, type Node, type ParsedFile, toValue } from "../language/tree.ts"

/** Changes that wait for no one: in some environments, any, or those that it describes. */
export interface LaneEntry {
  readonly environments: readonly string[]
  readonly allows:
    | { readonly kind: "anything" }
    /** Users fall back to the flag's default. */
    | { readonly kind: "default" }
    /** Only users in a segment get a different value. */
    | { readonly kind: "segment"; readonly name: string }
    /** One rollout grows by at most this many percent of users. */
    | { readonly kind: "growth"; readonly points: number }
  /** In the project file. */
  readonly span: Span
}

/** Reads the fast lane of a project file that has no mistakes. */
export function toFastLane(root: Node): readonly LaneEntry[] {
  return entriesOf(root).map((entry): LaneEntry => {
    const { environments, only, grows, gives } = toValue(entry) as {
      readonly environments: readonly string[]
      readonly only?: { readonly segment: string }
      readonly grows?: number
      readonly gives?: "default"
    }
    const { start, end } = entry
    const common = { environments, span: { start, end } }
    if (only !== undefined) return { ...common, allows: { kind: "segment", name: only.segment } }
    if (grows !== undefined) return { ...common, allows: { kind: "growth", points: grows } }
    return { ...common, allows: { kind: gives === undefined ? "anything" : "default" } }
  })
}

/** Each entry names environments of the project, and has at most one limit. */
export function checkFastLane(file: ParsedFile, known: readonly string[], report: Report): void {
  const { source } = file
  for (const entry of entriesOf(file.root)) {
    if (entry.kind !== "mapping") continue
    const names = memberOf(entry, "environments")?.value
    for (const node of names?.kind === "sequence" && known.length > 0 ? names.items : []) {
      const name = toValue(node)
      if (typeof name !== "string" || known.includes(name)) continue
      const message = `Unknown environment ${quoted(name)}${didYouMean(name, known)}`
      report.add({ code: "unknown-environment", message, source, span: node })
    }
    const limits = ["gives", "only", "grows"].flatMap((name) => memberOf(entry, name) ?? [])
    if (limits.length > 1) {
      const both = list(limits.map(({ name }) => name))
      const message = `${both} cannot be used side by side. Write an entry for each.`
      report.add({ code: "unknown-field", message, source, span: limits[1]?.nameSpan ?? entry })
    }
    const grows = memberOf(entry, "grows")?.value
    const points = grows && toValue(grows)
    if (grows !== undefined && typeof points === "number" && !(points > 0 && points <= 100)) {
      const message = "`grows` is a percentage of users: write a number above 0 and up to 100."
      report.add({ code: "wrong-type", message, source, span: grows })
    }
  }
}

function entriesOf(root: Node): readonly Node[] {
  const lane = root.kind === "mapping" ? memberOf(root, "fastLane")?.value : undefined
  return lane?.kind === "sequence" ? lane.items : []
}
