import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import type { Flag } from "../language/flag.ts"
import { configurationId, flagId } from "../language/ids.ts"
import type { Text } from "../language/tree.ts"
import { keyLocation } from "../reading/read-flag.ts"
import type { ProjectCheck } from "./check.ts"

/**
 * An `id:` that an author sets for a flag or a configuration is unique in the project, and differs from the ids that
 * Flagstone makes from keys.
 */
export const idsAreUnique: ProjectCheck = (flags, project, report) => {
  const flagIds: SeenIds = new Map()
  const configurations: SeenIds = new Map()
  const byMadeId = new Map<string, Flag>()
  for (const flag of flags) {
    if (flag.writtenId === undefined) byMadeId.set(flagId(flag.key, project), flag)
  }
  for (const { source, key, writtenId: id, configurations: own } of flags) {
    checkId(flagIds, id, source, report)
    checkMadeId(byMadeId.get(id?.text ?? ""), id, source, report)
    for (const { environment, writtenId: id } of own.values()) {
      checkId(configurations, id, source, report)
      if (id?.text === configurationId(key, environment, project)) continue
      const [, madeFlagId = "", madeFor] = /^(.*)@(.*)$/s.exec(id?.text ?? "") ?? []
      const known = project.environments.some(({ name }) => name === madeFor)
      checkMadeId(known ? byMadeId.get(madeFlagId) : undefined, id, source, report)
    }
  }
}

/** Whether an id is set for the flag or one of its configurations. */
export function hasId({ writtenId, configurations }: Flag): boolean {
  return [{ writtenId }, ...configurations.values()].some(({ writtenId }) => writtenId !== undefined)
}

function checkMadeId(
  owner: Flag | undefined,
  id: Text | undefined,
  source: SourceFile,
  report: Report,
): void {
  if (owner === undefined || id === undefined) return
  report.add({
    code: "duplicate-id",
    message: `The id ${quoted(id.text)} is already the id of the flag ${quoted(owner.key)} or of its configuration. Change or remove it.`,
    source,
    span: id.span,
    related: [{ message: "That flag is here.", location: keyLocation(owner) }],
  })
}

/** Where each id was set. */
export type SeenIds = Map<string, { readonly id: Text; readonly source: SourceFile }>

/** Reports an id that has already been set. */
export function checkId(seen: SeenIds, id: Text | undefined, source: SourceFile, report: Report): void {
  if (id === undefined) return
  const first = seen.get(id.text)
  seen.set(id.text, { id, source })
  if (first === undefined) return
  report.add({
    code: "duplicate-id",
    message: `The id ${quoted(id.text)} appears twice. Change or remove one of them.`,
    source,
    span: id.span,
    related: [{ message: "The other is here.", location: { source: first.source, span: first.id.span } }],
  })
}
