import { plural } from "../../diagnostics/format-text.ts"
import { joinPhrases, type Phrase, phrase } from "../../phrases/phrase.ts"
import type { Change, DiffEnvironment } from "../changes/change.ts"
import type { Impact } from "../changes/classification.ts"
import { describeChange } from "../changes/describe.ts"
import type { Diff } from "../changes/diff.ts"
import type { Replay } from "../changes/replay.ts"
import { type Endpoint, revisionOf } from "../revisions/endpoints.ts"
import type { NotCompared } from "../sides/leave-out-broken.ts"
import type { AddressOf } from "./addresses.ts"
import { type Risk, risksOf } from "./risks.ts"
import { segmentReach, segmentWords } from "./segment-rows.ts"

/** What a format shows: the diff, the two sides that were compared, and the folder that paths are relative to. */
export interface ComparedRevisions {
  readonly before: Endpoint
  readonly after: Endpoint
  readonly diff: Diff
  /** `undefined`: no contexts were given. */
  readonly replay: Replay | undefined
  readonly cwd: string
  readonly addressOf: AddressOf
  readonly colour: boolean
}

/** A diff as people read it: who gets another value, environment by environment, then what matters less. */
export interface Overview {
  readonly summary: Phrase
  /** Only of large diffs. */
  readonly risks: readonly Risk[]
  /** Segments that stand for other conditions now. */
  readonly segments: readonly Row[]
  /** Only environments in which somebody gets another value. */
  readonly environments: readonly { readonly environment: DiffEnvironment; readonly rows: readonly Row[] }[]
  /** Changes of snapshots that give nobody another value. */
  readonly idle: readonly Row[]
  /** Changes that reach no snapshot. */
  readonly people: readonly Row[]
  /** What has errors before the change. */
  readonly notCompared: readonly Row[]
}

export interface Row {
  /** The flag, and the environment unless the heading names it. */
  readonly subject: Phrase
  readonly what: Phrase
  /** Who is affected, or why nobody is. */
  readonly who: readonly Phrase[]
  /** What the row is about. */
  readonly change?: Change
}

/** The two sides, as `main (0123456789) → the work tree`. */
export function sidesWords({ before, after }: Pick<ComparedRevisions, "before" | "after">): Phrase {
  return phrase`${endpointWords(before)} → ${endpointWords(after)}`
}

function endpointWords(endpoint: Endpoint): Phrase {
  const revision = revisionOf(endpoint)
  const isNamed = revision === null || revision.startsWith(endpoint.name)
  return isNamed ? phrase`${endpoint.name}` : phrase`${endpoint.name} (${revision.slice(0, 10)})`
}

export function overviewOf(diff: Diff): Overview {
  const environments = diff.environments.flatMap((environment) => {
    const rows = diff.changes.flatMap((change) => rowIn(change, environment.name))
    return rows.length === 0 ? [] : [{ environment, rows }]
  })
  const rest = (impact: Impact) => diff.changes.filter((change) => change.impact === impact).map(restRow)
  return {
    summary: summaryOf(diff),
    risks: risksOf(diff),
    segments: (diff.segments ?? []).map((change) => ({
      subject: phrase`segment ${change.segment}`,
      what: segmentWords(change),
      who: segmentReach(change),
    })),
    environments,
    idle: rest("definition"),
    people: rest("none"),
    notCompared: notComparedRows(diff.notCompared),
  }
}

function notComparedRows(notCompared: NotCompared | undefined): readonly Row[] {
  if (notCompared === undefined) return []
  const what = ["it has an error before the change"]
  if (notCompared.project) return [{ subject: ["the project file"], what, who: [] }]
  return notCompared.flags.map((flag) => ({ subject: phrase`${flag}`, what, who: [] }))
}

function rowIn(change: Change, environment: string): readonly Row[] {
  const who = change.effects
    .filter((effect) => effect.environment === environment)
    .map((effect) => effect.who)
  return who.length === 0
    ? []
    : [{ subject: subjectOf(change, false), what: describeChange(change), who, change }]
}

function restRow(change: Change): Row {
  const who = change.reason === undefined ? [] : [change.reason]
  return { subject: subjectOf(change, true), what: describeChange(change), who, change }
}

function subjectOf(change: Change, withEnvironment: boolean): Phrase {
  if (!("flag" in change)) return "environment" in change ? phrase`${change.environment}` : ["the project"]
  return withEnvironment && "environment" in change
    ? phrase`${change.flag} in ${change.environment}`
    : phrase`${change.flag}`
}

/** One sentence without its full stop. Protected environments come first and are named even if nothing changes. */
function summaryOf({ environments, changes, warnings, accepted = [], notCompared }: Diff): Phrase {
  if (notCompared?.project) return ["Nothing is compared: the project file has an error before the change"]
  const left = notCompared?.flags.length ?? 0
  const leftOut = left > 0 ? [[`${plural(left, "flag")} ${left === 1 ? "is" : "are"} not compared`]] : []
  if (changes.length === 0) {
    if (left === 0) return ["Nothing changes in meaning"]
    return joinPhrases([["Nothing else changes in meaning"], ...leftOut], "; ")
  }
  const parts = environments.flatMap(({ name, protected: isProtected }): Phrase[] => {
    const flags = affectedFlags(changes, name)
    if (flags === "all") return [phrase`${name} is gone`]
    if (flags === 0) return isProtected ? [phrase`${name}: nobody gets another value`] : []
    return [phrase`${name}: ${[`${plural(flags, "flag")} ${flags === 1 ? "gives" : "give"}`]} other values`]
  })
  const count = (impact: Impact) => changes.filter((change) => change.impact === impact).length
  const [idle, people] = [count("definition"), count("none")]
  const flags = parts.length > 0 ? parts : [["Nobody gets another value"]]
  return joinPhrases(
    [
      ...flags,
      ...(idle > 0 ? [[`${plural(idle, "change")} without effect on values`]] : []),
      ...(people > 0 ? [[`${plural(people, "change")} for people only`]] : []),
      ...(warnings.length > 0 ? [[plural(warnings.length, "warning")]] : []),
      ...(accepted.length > 0 ? [[plural(accepted.length, "accepted warning")]] : []),
      ...leftOut,
    ],
    "; ",
  )
}

function affectedFlags(changes: readonly Change[], environment: string): number | "all" {
  const affecting = changes.filter(({ effects }) =>
    effects.some((effect) => effect.environment === environment),
  )
  if (affecting.some(({ kind }) => kind === "environment-removed")) return "all"
  return new Set(affecting.map((change) => ("flag" in change ? change.flag : ""))).size
}
