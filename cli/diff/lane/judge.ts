import type { CompileExpression } from "../../../sdk/evaluation/expression.ts"
import { jsonContext } from "../../conditions/json-context.ts"
import type { Location } from "../../diagnostics/diagnostic.ts"
import { joinLast, listPhrase, type Phrase, phrase, tellApart, whole } from "../../diagnostics/phrase.ts"
import type { Flag } from "../../language/flag.ts"
import type { LaneEntry } from "../../reading/fast-lane.ts"
import { pairFlags } from "../sides/pair-flags.ts"
import type { Side } from "../sides/side.ts"
import { givesTheSame } from "../transitions/transition.ts"
import { brokenInvariants } from "../warnings/broken-invariants.ts"
import { type LaneQuestion, type Outside, outsideOf } from "./outside.ts"

/** Whether a change stays inside the fast lane, in a sentence without its full stop. */
export interface Verdict {
  readonly isInside: boolean
  readonly words: Phrase
  /** The entry of the lane that is nearest to what is outside; `undefined` if there is none. */
  readonly nearest?: { readonly words: Phrase; readonly location: Location } | undefined
}

/** A verdict of what is outside. */
export function outside(words: Phrase): Verdict {
  return { isInside: false, words }
}

/** Judges what a change gives users by the fast lane of the side before it. Both sides have the same project file. */
export function judgeLane(
  before: Side,
  after: Side,
  compileExpression: CompileExpression,
  now?: number,
): Verdict {
  const attribute = before.project?.clock
  const clock = attribute === undefined || now === undefined ? undefined : { attribute, now }
  const lane = before.project?.fastLane ?? []
  const [broken] = brokenInvariants(before, after, () => true, compileExpression)
  if (broken !== undefined) return outside(broken.phrase ?? [broken.message])
  const used = new Map<LaneEntry, Set<string>>()
  let grown: string | undefined
  for (const pair of pairFlags(before, after)) {
    const flag = "after" in pair ? pair.after : pair.before
    const { key } = flag
    if (pair.kind !== "kept") return outside(phrase`the flag ${key} is ${[pair.kind]}`)
    const field = identityChange(pair.before, pair.after)
    if (field !== undefined) return outside(phrase`${[field]} of ${key} changes`)
    for (const { name: environment } of before.project?.environments ?? []) {
      if (givesTheSame(pair.before, pair.after, environment)) continue
      const entries = lane.filter(({ environments }) => environments.includes(environment))
      const question = { pair, environment, base: before, compileExpression, clock }
      const [first] = outsideOf(question, entries)
      if (first !== undefined) return verdictOf(question, first, entries)
      const others = entries.filter(({ allows }) => allows.kind !== "growth")
      // A flag whose file stays as it was grows with another one.
      const isEdited = pair.before.source.text !== pair.after.source.text
      if (isEdited && outsideOf(question, others).length > 0) {
        grown ??= key
        if (grown !== key) return outside(phrase`the rollouts of both ${grown} and ${key} grow`)
      }
      // Those that allow it alone; if none does, all of them together.
      const alone = entries.find((entry) => outsideOf(question, [entry]).length === 0)
      if (outsideOf(question, []).length > 0)
        for (const entry of alone === undefined ? entries : [alone])
          used.set(entry, (used.get(entry) ?? new Set()).add(environment))
    }
  }
  const reasons = [...used].map(
    ([entry, environments]) => phrase`in ${listPhrase(environments)} ${insideWords(entry)}`,
  )
  return {
    isInside: true,
    words: reasons.length === 0 ? ["no user gets a different value"] : joinLast(reasons, "and"),
  }
}

/** What clients know a flag by, if it changes. */
function identityChange(before: Flag, after: Flag): string | undefined {
  if (before.type !== after.type) return "the type"
  const shared = [...before.configurations.keys()].filter((name) => after.configurations.has(name))
  const idsOf = ({ id, configurations }: Flag) =>
    JSON.stringify([id, ...shared.map((name) => configurations.get(name)?.id)])
  return idsOf(before) === idsOf(after) ? undefined : "an id"
}

function insideWords({ allows }: LaneEntry): Phrase {
  switch (allows.kind) {
    case "anything":
      return ["any change is allowed"]
    case "default":
      return ["users only fall back to the default"]
    case "segment":
      return phrase`only users in segment ${allows.name} change`
    case "growth":
      return phrase`a rollout grows by at most ${allows.points} points, and no one loses it`
  }
}

function verdictOf(question: LaneQuestion, first: Outside, entries: readonly LaneEntry[]): Verdict {
  const { pair, environment, base } = question
  const nearest = entries
    .map((entry) => ({ entry, found: outsideOf(question, [entry]), distance: distanceOf(question, entry) }))
    .toSorted((a, b) => a.distance - b.distance)[0]
  const shown = nearest?.found.find(({ witness }) => witness !== undefined) ?? first
  const source = base.project?.source
  const [had, gets] = tellApart(phrase`${shown.before?.value ?? ""}`, phrase`${shown.after?.value ?? ""}`)
  const who =
    shown.witness === undefined
      ? phrase`may give users a different value; it cannot be decided whether it does`
      : phrase`gives ${gets} instead of ${had} to the context ${whole(JSON.stringify(jsonContext(shown.witness) ?? shown.witness))}`
  return {
    isInside: false,
    words: phrase`in ${environment}, ${pair.after.key} ${who}`,
    nearest: nearest &&
      source && {
        words: outsideWords(nearest.entry),
        location: { source, span: nearest.entry.span },
      },
  }
}

/** How many kinds of changes an entry does not allow; less than one if a rollout only grows too far. */
function distanceOf(question: LaneQuestion, entry: LaneEntry): number {
  const { allows } = entry
  const isFar =
    allows.kind === "growth" &&
    outsideOf(question, [{ ...entry, allows: { ...allows, points: 100 } }]).length === 0
  return isFar ? 0 : outsideOf(question, [entry]).length
}

function outsideWords({ allows }: LaneEntry): Phrase {
  switch (allows.kind) {
    case "anything":
      return ["any change is allowed here"]
    case "default":
      return ["here, users may only fall back to the default"]
    case "segment":
      return phrase`here, only users in segment ${allows.name} may get a different value`
    case "growth":
      return phrase`here, one rollout may grow by at most ${allows.points} points, from the default`
  }
}
