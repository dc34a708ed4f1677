import type { Report, Source } from "../../diagnostics/diagnostic.ts"
import type { Text } from "../definition.ts"
import type { CommonLaw } from "./law.ts"

/** An `id:` that an author sets for a flag or a configuration names one of the project. */
export const idsAreUnique: CommonLaw = (definitions, _project, report) => {
  const flags: SeenIds = new Map()
  const configurations: SeenIds = new Map()
  for (const { source, id, configurations: own } of definitions) {
    checkId(flags, id, source, report)
    for (const configuration of own) {
      checkId(configurations, configuration.id, source, report)
    }
  }
}

/** Where each id was seen. */
export type SeenIds = Map<string, { readonly id: Text; readonly source: Source }>

/** Reports an id that was seen before. */
export function checkId(seen: SeenIds, id: Text | undefined, source: Source, report: Report): void {
  if (id === undefined) return
  const first = seen.get(id.text)
  seen.set(id.text, { id, source })
  if (first === undefined) return
  report.add({
    code: "duplicate-id",
    message: `The id \`${id.text}\` is given twice. Change or remove one of them.`,
    source,
    span: id.span,
    related: [{ message: "The other is here.", place: { source: first.source, span: first.id.span } }],
  })
}
