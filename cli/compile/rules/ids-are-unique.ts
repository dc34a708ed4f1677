import type { Source, Span } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import { configurationId, flagId } from "../resolve.ts"
import { keyPlace } from "../validate.ts"
import type { Law } from "./law.ts"

/** An id names one thing: a flag or a configuration in the project, a rule in its list. Ids that are made count, too. */
export const idsAreUnique: Law = (definitions, project, report) => {
  const check = (seen: Seen, id: string, place: Place) => {
    const first = seen.get(id)
    seen.set(id, place)
    if (first === undefined || !(first.written || place.written)) return // made twice: the flag key is there twice
    const { source, span } = place
    report.add({
      code: "duplicate-id",
      message: `The id ${quoted(id)} is given twice. Change or remove one of them.`,
      source,
      span,
      related: [{ message: "The other is here.", place: first }],
    })
  }
  const flags: Seen = new Map()
  const configurations: Seen = new Map()
  for (const definition of definitions) {
    const { source, id } = definition
    const own = { ...keyPlace(definition), written: false }
    check(
      flags,
      flagId(definition, project),
      id === undefined ? own : { source, span: id.span, written: true },
    )
    for (const configuration of definition.configurations) {
      const { id, nameSpan } = configuration
      const place = { source, span: id?.span ?? nameSpan, written: id !== undefined }
      check(configurations, configurationId(configuration, definition, project), place)
      const rules: Seen = new Map()
      for (const { id } of configuration.rules) {
        if (id !== undefined) check(rules, id.text, { source, span: id.span, written: true })
      }
    }
  }
}

interface Place {
  readonly source: Source
  readonly span: Span
  readonly written: boolean
}

type Seen = Map<string, Place>
