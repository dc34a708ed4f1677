import type { Report, SourceFile } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import type { Outline, Text } from "../definition/definition.ts"
import { keyLocation } from "../definition/validate.ts"
import { configurationId, flagId } from "../meaning/resolve.ts"
import type { ProjectCheck } from "./flag-check.ts"

/**
 * An `id:` that an author sets for a flag or a configuration names one of the project, and none that gets its id from
 * its key.
 */
export const idsAreUnique: ProjectCheck = (outlines, project, report) => {
  if (!outlines.some(hasId)) return
  const flags: SeenIds = new Map()
  const configurations: SeenIds = new Map()
  const withMadeId = new Map<string, Outline>()
  for (const outline of outlines) {
    if (outline.id === undefined) withMadeId.set(flagId(outline.key, project), outline)
  }
  for (const { source, key, id, configurations: own } of outlines) {
    checkId(flags, id, source, report)
    checkMade(withMadeId.get(id?.text ?? ""), id, source, report)
    for (const { environment, id } of own) {
      checkId(configurations, id, source, report)
      if (id?.text === configurationId(key, environment, project)) continue
      const [, made = "", of] = /^(.*)@(.*)$/s.exec(id?.text ?? "") ?? []
      const known = project.environments.some(({ name }) => name === of)
      checkMade(known ? withMadeId.get(made) : undefined, id, source, report)
    }
  }
}

function hasId({ id, configurations }: Outline): boolean {
  return id !== undefined || configurations.some(({ id }) => id !== undefined)
}

function checkMade(
  owner: Outline | undefined,
  id: Text | undefined,
  source: SourceFile,
  report: Report,
): void {
  if (owner === undefined || id === undefined) return
  report.add({
    code: "duplicate-id",
    message: `The id ${quoted(id.text)} is that of the flag ${quoted(owner.key)} or of its configuration. Change or remove it.`,
    source,
    span: id.span,
    related: [{ message: "That flag is here.", location: keyLocation(owner) }],
  })
}

/** Where each id was seen. */
export type SeenIds = Map<string, { readonly id: Text; readonly source: SourceFile }>

/** Reports an id that was seen before. */
export function checkId(seen: SeenIds, id: Text | undefined, source: SourceFile, report: Report): void {
  if (id === undefined) return
  const first = seen.get(id.text)
  seen.set(id.text, { id, source })
  if (first === undefined) return
  report.add({
    code: "duplicate-id",
    message: `The id ${quoted(id.text)} is given twice. Change or remove one of them.`,
    source,
    span: id.span,
    related: [{ message: "The other is here.", location: { source: first.source, span: first.id.span } }],
  })
}
