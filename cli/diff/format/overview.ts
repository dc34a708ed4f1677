import type { Json } from "../../../sdk/contract/snapshot.ts"
import { joinPhrases, listPhrase, type Phrase, phrase, plainPhrase } from "../../diagnostics/phrase.ts"
import { plural } from "../../diagnostics/plural.ts"
import { sameValue } from "../../language/canonical-json.ts"
import type { Change, DiffEnvironment } from "../changes/change.ts"
import type { Impact } from "../changes/classification.ts"
import type { CodeReferences } from "../changes/code-references.ts"
import { describeChange } from "../changes/describe.ts"
import type { Diff } from "../changes/diff.ts"
import type { Replay } from "../changes/replay.ts"
import type { Effect } from "../effects/effect.ts"
import { type Endpoint, revisionOf } from "../revisions/endpoints.ts"
import type { NotCompared } from "../sides/leave-out-broken.ts"
import type { AddressOf } from "./addresses.ts"
import { segmentReach, segmentWords } from "./segment-rows.ts"
import { summaryOf } from "./summary.ts"

/** What a report shows: the diff, the two sides that were compared, and the folder that paths are relative to. */
export interface ComparedRevisions {
  readonly before: Endpoint
  readonly after: Endpoint
  readonly diff: Diff
  /** `undefined`: no contexts were given. */
  readonly replay: Replay | undefined
  readonly cwd: string
  readonly addressOf: AddressOf
  /** `undefined`: no code was searched. */
  readonly code?: CodeReferences | undefined
  /** The address of a catalogue to link to. */
  readonly catalogUrl?: string | undefined
}

/** A diff for readers: who gets a different value, environment by environment, then what matters less. */
export interface Overview {
  readonly summary: Phrase
  /** Segments whose conditions changed. */
  readonly segments: readonly FlagRow[]
  /** Flags with a new key, each once for all environments. */
  readonly renamed: readonly FlagRow[]
  /** Only environments where a user gets a different value. */
  readonly environments: readonly {
    readonly environment: DiffEnvironment
    readonly rows: readonly FlagRow[]
  }[]
  /** Changes of snapshots that give no one a different value. */
  readonly idle: readonly FlagRow[]
  /** Changes that reach no snapshot. */
  readonly people: readonly FlagRow[]
  /** What has errors before the change. */
  readonly notCompared: readonly FlagRow[]
}

export interface FlagRow {
  /** The flag, and the environment unless the heading names it. */
  readonly subject: Phrase
  readonly what: Phrase
  /** Who is affected, or why no one is. */
  readonly who: readonly Phrase[]
  /** What the row is about: one change of each flag. */
  readonly changes: readonly Change[]
  /** Flags whose values differ only because they depend on this one. */
  readonly asking?: readonly FlagRow[]
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
  const renames = diff.changes.filter(({ kind }) => kind === "flag-renamed")
  const others = diff.changes.filter(({ kind }) => kind !== "flag-renamed")
  const environments = diff.environments.flatMap((environment) => {
    const rows = rowsIn(others, environment.name)
    return rows.length === 0 ? [] : [{ environment, rows }]
  })
  const told = diff.changes.filter((change) => !isFolded(change, diff))
  const rest = (impact: Impact) => joinAlike(told.filter((change) => change.impact === impact).map(restRow))
  return {
    summary: summaryOf(diff, told),
    segments: (diff.segments ?? []).map((change) => ({
      subject: phrase`${[change.before === null ? "new segment" : "segment"]} ${change.segment}`,
      what: segmentWords(change),
      who: segmentReach(change),
      changes: [],
    })),
    renamed: renames.map((change) => renamedRow(change, diff.environments)),
    environments,
    idle: rest("definition"),
    people: rest("none"),
    notCompared: notComparedRows(diff.notCompared),
  }
}

function renamedRow(change: Change, environments: readonly DiffEnvironment[]): FlagRow {
  const effects = environments.flatMap(({ name }) =>
    change.effects.filter(({ environment }) => environment === name),
  )
  const bySentence = Map.groupBy(effects, ({ who }) => plainPhrase(who))
  const who = [...bySentence.values()].flatMap((alike) => {
    const words = alike.slice(0, 1).map((effect) => effect.who)
    const places = listPhrase(alike.map(({ environment }) => environment))
    return bySentence.size === 1 ? words : words.map((one) => phrase`in ${places}, ${one}`)
  })
  return { subject: subjectOf(change, false), what: describeChange(change), who, changes: [change] }
}

function notComparedRows(notCompared: NotCompared | undefined): readonly FlagRow[] {
  if (notCompared === undefined) return []
  const what = ["it had errors before the change"]
  if (notCompared.project) return [{ subject: ["the project file"], what, who: [], changes: [] }]
  return notCompared.flags.map((flag) => ({ subject: phrase`${flag}`, what, who: [], changes: [] }))
}

/**
 * Flags whose values differ in an environment: a row for each, with its changes there, and below it the flags that
 * depend on it.
 */
function rowsIn(changes: readonly Change[], environment: string): readonly FlagRow[] {
  const own = changes.filter(
    (change) =>
      change.effects.some((effect) => effect.environment === environment) ||
      (change.impact === "behaviour" && "environment" in change && change.environment === environment),
  )
  const byFlag = Map.groupBy(own, flagOf)
  const asked = (flag: string): string | undefined => {
    const other = askedFlag(byFlag.get(flag) ?? [])
    return other !== undefined && byFlag.has(other) ? other : undefined
  }
  const byAsked = Map.groupBy(byFlag.keys(), asked)
  const rowOf = (flag: string): readonly FlagRow[] => {
    const all = byFlag.get(flag) ?? []
    const [change] = all
    if (change === undefined) return []
    const effects = all.flatMap((one) => one.effects).filter((effect) => effect.environment === environment)
    const who = new Map(withFewLists(effects).map((effect) => [plainPhrase(effect.who), effect.who]))
    const asking = joinAlike((byAsked.get(flag) ?? []).flatMap(rowOf))
    // The shares of a split are one edit.
    const edits = new Map(all.map(describeChange).map((one) => [plainPhrase(one), one]))
    const other = asked(flag)
    const what = other === undefined ? joinPhrases([...edits.values()], "; ") : phrase`through flag ${other}`
    const row = { subject: subjectOf(change, false), what, who: [...who.values()], changes: [change] }
    return [asking.length === 0 ? row : { ...row, asking }]
  }
  return joinAlike((byAsked.get(undefined) ?? []).flatMap(rowOf))
}

/** More sentences about contexts with lists or objects are only for programs. */
const mostLists = 2

function withFewLists(effects: readonly Effect[]): readonly Effect[] {
  const ofLists = effects.filter(({ users, group }) => group !== undefined && users === undefined)
  const left = new Set(ofLists.slice(mostLists))
  return effects.filter((effect) => !left.has(effect))
}

/** The flag that a flag depends on, if only that one's value changed in it. */
function askedFlag(changes: readonly Change[]): string | undefined {
  const asked = changes.map((change) => {
    const { references = [], members = [] } = change.kind === "rule-edited" ? change : {}
    const isOwn = members.includes("returnValue")
    const flags = references.map((reference) => (reference.kind === "flag" ? reference.key : undefined))
    return isOwn || flags.includes(undefined) ? undefined : flags[0]
  })
  return asked.includes(undefined) ? undefined : asked[0]
}

/** Joins rows that differ only in their flags into one that lists them all. */
function joinAlike(rows: readonly FlagRow[]): readonly FlagRow[] {
  const placeOf = ({ changes: [change] }: FlagRow) =>
    change && "environment" in change ? change.environment : ""
  const alike = Map.groupBy(rows, (row) =>
    [
      placeOf(row),
      ...[row.what, ...row.who].map(plainPhrase),
      row.asking && flagOf(row.changes[0] as Change),
    ].join("\n"),
  )
  return [...alike.values()].flatMap((all): readonly FlagRow[] => {
    const own = [...new Map(all.map((row) => [plainPhrase(row.subject), row])).values()]
    const [first] = own
    if (first === undefined || own.length === 1) return own
    const place = plainPhrase(first.subject).includes(" in ") ? phrase` in ${placeOf(first)}` : []
    const subject = phrase`${[plural(own.length, "flag")]}${place}`
    return [{ ...first, subject, changes: own.flatMap(({ changes }) => changes) }]
  })
}

function restRow(change: Change): FlagRow {
  const who = change.reason === undefined ? [] : [change.reason]
  return { subject: subjectOf(change, true), what: describeChange(change), who, changes: [change] }
}

/**
 * Changes that another line covers: a new name of an environment, also in the list of protected ones, the configurations of
 * a new environment, ids that follow the project's or its environments', and shares of a split of which another one gives
 * users a different value.
 */
function isFolded(change: Change, { changes }: Diff): boolean {
  const split = splitOf(change)
  if (split !== undefined) return changes.some((one) => one.impact === "behaviour" && splitOf(one) === split)
  if (change.kind === "environment-added") return change.renamedFrom !== undefined
  if (change.kind === "project-changed" && change.member === "id") return followsName(change, changes)
  if (change.kind === "project-changed" && change.member === "protected")
    return sameValue(change.after, withNewNames(change.before, changes))
  if (change.kind === "ids-changed")
    return changes.some(({ kind }) => kind === "project-changed" || kind === "environment-changed")
  return (
    change.kind === "configured" &&
    changes.some((one) => one.kind === "environment-added" && one.environment === change.environment)
  )
}

function splitOf({ kind, written }: Change) {
  return kind.startsWith("rule-") ? (written?.after ?? written?.before)?.item.split : undefined
}

/** Whether the project's id is made from its name, on both sides. */
function followsName({ before, after }: ProjectChange, changes: readonly Change[]): boolean {
  return changes.some(
    (one) =>
      one.kind === "project-changed" && one.member === "name" && one.before === before && one.after === after,
  )
}

/** A list of environments under their new names. */
function withNewNames(names: Json, changes: readonly Change[]): Json {
  const newName = (name: Json) =>
    changes.flatMap((one) =>
      one.kind === "environment-removed" && one.environment === name ? (one.renamedTo ?? []) : [],
    )[0] ?? name
  return Array.isArray(names) ? names.map(newName).sort() : names
}

type ProjectChange = Extract<Change, { readonly kind: "project-changed" }>

/** The flag that a change is about; `""` for the project. */
export function flagOf(change: Change): string {
  return "flag" in change ? change.flag : ""
}

function subjectOf(change: Change, withEnvironment: boolean): Phrase {
  if (!("flag" in change)) return "environment" in change ? phrase`${change.environment}` : ["the project"]
  return withEnvironment && "environment" in change
    ? phrase`${change.flag} in ${change.environment}`
    : phrase`${change.flag}`
}
