import { relative } from "node:path"
import { formatJson as formatDiagnostics } from "../diagnostics/format-json.ts"
import type { Change } from "./change.ts"
import { type ComparedRevisions, revisionOf } from "./comparison.ts"
import { describeChange } from "./describe.ts"
import { overviewOf } from "./overview.ts"
import { plainPhrase } from "./phrase.ts"
import type { Endpoint } from "./revisions.ts"

/**
 * The diff as the JSON that `diff.schema.json` describes. Applied to the older snapshots it gives the newer ones, all
 * but the times: those are of commits, and the diff is of meanings.
 */
export function formatJson({ base, head, diff, cwd }: ComparedRevisions): string {
  const document = {
    formatVersion: 1,
    base: describe(base),
    head: describe(head),
    summary: plainPhrase(overviewOf(diff).summary),
    environments: diff.environments,
    changes: diff.changes.map((change) => changeJson(change, cwd)),
    warnings: JSON.parse(formatDiagnostics(diff.warnings, cwd)),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function changeJson({ weight, affected, reason, file, ...fact }: Change, cwd: string) {
  const change = { ...fact, weight, affected, file } as Change
  return {
    ...fact,
    weight,
    summary: plainPhrase(describeChange(change)),
    affected: affected.map(({ environment, who }) => ({ environment, who: plainPhrase(who) })),
    ...(reason === undefined ? {} : { reason: plainPhrase(reason) }),
    file: relative(cwd, file).replaceAll("\\", "/"),
  }
}

function describe(endpoint: Endpoint) {
  return { name: endpoint.name, revision: revisionOf(endpoint) }
}
