import type { Source } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import type { Text } from "../definition.ts"
import type { Law } from "./law.ts"

/** An `id:` that an author sets names one thing: of flags and configurations in the project, of rules in their list. */
export const idsAreUnique: Law = (definitions, _project, report) => {
  const check = (seen: Map<string, { id: Text; source: Source }>, id: Text | undefined, source: Source) => {
    if (id === undefined) return
    const first = seen.get(id.text)
    seen.set(id.text, { id, source })
    if (first === undefined) return
    report.add({
      code: "duplicate-id",
      message: `The id ${quoted(id.text)} is given twice. Change or remove one of them.`,
      source,
      span: id.span,
      related: [{ message: "The other is here.", place: { source: first.source, span: first.id.span } }],
    })
  }
  const flags = new Map()
  const configurations = new Map()
  for (const { source, id, configurations: own } of definitions) {
    check(flags, id, source)
    for (const configuration of own) {
      check(configurations, configuration.id, source)
      const rules = new Map()
      for (const rule of configuration.rules) check(rules, rule.id, source)
    }
  }
}
