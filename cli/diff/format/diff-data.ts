import { jsonContext } from "../../conditions/json-context.ts"
import type { Group } from "../../conditions/moves/group.ts"
import { diagnosticRows } from "../../diagnostics/format-json.ts"
import { plainPhrase } from "../../diagnostics/phrase.ts"
import { relativePath } from "../../diagnostics/relative-path.ts"
import { createEncode } from "../../language/encode.ts"
import { namesOf } from "../../language/references.ts"
import type { Change } from "../changes/change.ts"
import { describeChange } from "../changes/describe.ts"
import type { SegmentChange } from "../changes/segment-change.ts"
import type { Effect } from "../effects/effect.ts"
import { type Endpoint, revisionOf } from "../revisions/endpoints.ts"
import { type ComparedRevisions, overviewOf } from "./overview.ts"

/**
 * The diff as `diff.schema.json` describes it. Applied to the snapshots before the change, it gives those
 * after it, without the times: they come from commits, and the diff is about meanings.
 */
export function diffData({ before, after, diff, replay, code, cwd, addressOf }: ComparedRevisions): object {
  return {
    formatVersion: 2,
    base: describe(before),
    head: describe(after),
    summary: plainPhrase(overviewOf(diff).summary),
    environments: diff.environments,
    ...(diff.segments === undefined ? {} : { segments: diff.segments.map(segmentJson) }),
    changes: diff.changes.map((change) => ({ ...changeJson(change, cwd), url: addressOf(change) })),
    warnings: diagnosticRows(diff.warnings, cwd),
    ...(diff.accepted === undefined ? {} : { accepted: diagnosticRows(diff.accepted, cwd) }),
    ...(code === undefined ? {} : { code }),
    ...(replay === undefined ? {} : { contexts: replay }),
    ...(diff.notCompared === undefined ? {} : { notCompared: diff.notCompared }),
  }
}

/** The conditions of a segment as SDKs get them. */
function segmentJson(change: SegmentChange) {
  const encode = createEncode(undefined)
  const sent = (condition: SegmentChange["after"]) => (condition && encode(condition)) ?? null
  return { ...change, before: sent(change.before), after: sent(change.after) }
}

function changeJson(change: Change, cwd: string) {
  const { impact, effects, reason, file, owner, written: _, ...difference } = change
  return {
    ...difference,
    ...rulesJson(change),
    ...usesJson(change),
    weight: impact,
    summary: plainPhrase(describeChange(change)),
    affected: effects.map(({ environment, who, time, group }) => ({
      environment,
      sentence: plainPhrase(who),
      ...(time === undefined ? {} : { time: time && timeJson(time) }),
      ...(group === undefined ? {} : groupJson(group)),
    })),
    ...(reason === undefined ? {} : { reason: plainPhrase(reason) }),
    file: relativePath(cwd, file),
    owner,
  }
}

function timeJson({ from, until }: NonNullable<Effect["time"]>) {
  const textOf = (moment: number) => new Date(moment).toISOString()
  return { from: textOf(from), ...(until !== undefined && { until: textOf(until) }) }
}

/** Rules as SDKs get them. */
function rulesJson(change: Change) {
  switch (change.kind) {
    case "rule-added":
      return { after: change.after.sent }
    case "rule-removed":
      return { before: change.before.sent }
    case "rule-moved":
      return { rule: change.rule.sent }
    case "rule-edited":
      return { before: change.before.sent, after: change.after.sent }
    default:
      return {}
  }
}

/** The segments and flags of a rule whose meaning changed. */
function usesJson(change: Change) {
  if (change.kind !== "rule-edited" || change.references === undefined) return {}
  const { segments, flags } = namesOf(change.references)
  return {
    references: undefined,
    ...(segments.length === 0 ? {} : { segments }),
    ...(flags.length === 0 ? {} : { flags }),
  }
}

function groupJson({ before, after, condition, doubt, witness }: Group) {
  return {
    ...(before === undefined ? {} : { before: before.gives }),
    after: after.gives,
    condition,
    exact: doubt === undefined,
    doubt,
    witness: witness && jsonContext(witness),
  }
}

function describe(endpoint: Endpoint) {
  return { name: endpoint.name, revision: revisionOf(endpoint) }
}
