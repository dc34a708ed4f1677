import { isPlain, type Move } from "../../conditions/moves/moves.ts"
import { type Finding, type Location, type Span, wholeFile } from "../../diagnostics/diagnostic.ts"
import type { Phrase } from "../../diagnostics/phrase.ts"
import { sameRule } from "../../flag/same-rule.ts"
import { sameValue } from "../../language/canonical-json.ts"
import type { Flag, Rule } from "../../language/flag.ts"
import { memberOf } from "../../language/tree.ts"
import { spanOfCondition } from "../../reading/condition.ts"
import { endOf } from "../../reading/share.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import type { Transition } from "../transitions/transition.ts"

/** A warning about an environment. The words continue a sentence that begins with its name. */
export interface Warning extends Omit<Finding, "message" | "phrase"> {
  readonly words: Phrase
}

/** Where a flag's file names an environment, or the whole file. */
export function locationOfEnvironment({ source, configurations }: Flag, environment: string): Location {
  return { source, span: configurations.get(environment)?.nameSpan ?? wholeFile }
}

/** The value of a flag's member in its file; the whole file if it is not written. */
export function locationOfMember({ source, root }: Flag, member: "type" | "defaultValue"): Location {
  return { source, span: memberOf(root, member)?.value ?? wholeFile }
}

/** A rule's place in its file: its attribute if that is requested, else its percentage, else its operator. */
export function locationOfRule(
  { source, configurations }: Flag,
  environment: string,
  rule: Rule,
  part?: "attribute",
): Location | undefined {
  // The rule may be one of the side before the change.
  const found = configurations.get(environment)?.rules.find(({ sent }) => sameRule(sent, rule.sent))
  if (found === undefined) return undefined
  const { start, end } = spanIn(found, part)
  return { source, span: { start, end } }
}

/** Where the edit behind a group was made: a rule that now decides, or what replaced one that did. */
export function locationOfChange(
  pair: FlagOnBothSides,
  { environment, match }: Transition,
  moves: readonly Pick<Move, "before" | "after">[],
): Location {
  const { before, after } = pair
  const written = after.configurations.get(environment)
  if (isSwitchedOff(pair, environment)) {
    const place = locationOfEnvironment(written === undefined ? before : after, environment)
    return { source: place.source, span: (written && memberOf(written.node, "enabled")?.value) ?? place.span }
  }
  const became = match?.pairs.find((pair) => moves.some((move) => move.before.rule === pair.before))
  const rule = moves.find((move) => move.after.rule !== undefined)?.after.rule ?? became?.after
  const ofRule = rule && locationOfRule(after, environment, rule)
  if (ofRule !== undefined) return ofRule
  return sameValue(before.defaultValue, after.defaultValue)
    ? locationOfEnvironment(after, environment)
    : locationOfMember(after, "defaultValue")
}

function isSwitchedOff({ before, after }: FlagOnBothSides, environment: string): boolean {
  const [wasOn, isOn] = [before, after].map((side) => side.configurations.get(environment)?.enabled === true)
  return wasOn === true && isOn !== true
}

function spanIn({ condition, item: { split } }: Rule, part: "attribute" | undefined): Span {
  // The share of an arm comes after the condition that limits the split.
  const decisive = (split && "parts" in condition ? condition.parts.at(-1) : undefined) ?? condition
  if (part === "attribute" && decisive.at?.attribute !== undefined) return decisive.at.attribute
  return (decisive.kind === "share" ? endOf(decisive) : undefined) ?? spanOfCondition(condition)
}

/** Whether users move whose attributes have one value each, or that is open for another reason than the flag's size. */
export function mayBePlain({ witness, doubt, isOnlyLists }: Move): boolean {
  return !isOnlyLists && (witness === undefined ? doubt !== "bound" : isPlain(witness))
}
