import { relative } from "node:path"
import { jsonContext } from "../../conditions/json-context.ts"
import { formatJson as formatDiagnostics } from "../../diagnostics/format-json.ts"
import { printableJson } from "../../diagnostics/printable.ts"
import { plainPhrase } from "../../phrases/phrase.ts"
import type { Change } from "../changes/change.ts"
import { describeChange } from "../changes/describe.ts"
import { type Endpoint, revisionOf } from "../revisions/endpoints.ts"
import type { Move } from "../transitions/moves.ts"
import type { Outcome } from "../transitions/outcomes.ts"
import { type ComparedRevisions, overviewOf } from "./overview.ts"

/**
 * The diff as the JSON that `diff.schema.json` describes. Applied to the snapshots before the change, it gives those
 * after it, without the times: they come from commits, and the diff is about meanings.
 */
export function formatJson({ before, after, diff, replay, cwd, addressOf }: ComparedRevisions): string {
  const document = {
    formatVersion: 1,
    base: describe(before),
    head: describe(after),
    summary: plainPhrase(overviewOf(diff).summary),
    environments: diff.environments,
    ...(diff.segments === undefined ? {} : { segments: diff.segments }),
    changes: diff.changes.map((change) => ({ ...changeJson(change, cwd), url: addressOf(change) })),
    warnings: JSON.parse(formatDiagnostics(diff.warnings, cwd)),
    ...(diff.accepted === undefined ? {} : { accepted: JSON.parse(formatDiagnostics(diff.accepted, cwd)) }),
    ...(replay === undefined ? {} : { contexts: replay }),
    ...(diff.notCompared === undefined ? {} : { notCompared: diff.notCompared }),
  }
  return `${printableJson(JSON.stringify(document, null, 2))}\n`
}

function changeJson(change: Change, cwd: string) {
  const { impact, effects, reason, file, owner, ...difference } = change
  return {
    ...difference,
    weight: impact,
    summary: plainPhrase(describeChange(change)),
    affected: effects.map(({ environment, who, moves }) => ({
      environment,
      who: plainPhrase(who),
      ...(moves.length === 0 ? {} : { groups: moves.map(groupJson) }),
    })),
    ...(reason === undefined ? {} : { reason: plainPhrase(reason) }),
    file: relative(cwd, file).replaceAll("\\", "/"),
    owner,
  }
}

function groupJson({ before, after, witness, doubt }: Move) {
  return {
    before: before && decisionJson(before),
    after: decisionJson(after),
    witness: witness && jsonContext(witness),
    doubt,
  }
}

function decisionJson({ rule, at, returns }: Outcome) {
  return { rule: rule === undefined ? null : at, value: returns }
}

function describe(endpoint: Endpoint) {
  return { name: endpoint.name, revision: revisionOf(endpoint) }
}
