import type { Rule } from "../../../proxy/contract/snapshot.ts"
import { sameValue } from "../../compile/meaning/canonical-json.ts"
import { memberOf } from "../../compile/yaml/tree.ts"
import type { Report } from "../../diagnostics/diagnostic.ts"
import { list } from "../../diagnostics/suggest.ts"
import type { RuleMatch } from "../differences/match-rules.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import { shareAttributes } from "../transitions/share-attributes.ts"
import type { Transition } from "../transitions/transition.ts"
import { definedIn, locationOfEnvironment, locationOfMember, locationOfRule } from "./places.ts"
import { isRedealt } from "./split-warnings.ts"

/** The default has changed, and people in protected environments get it. A new type has its own warning. */
export function defaultFlipped(
  { before, after }: FlagOnBothSides,
  guarded: readonly Transition[],
  report: Report,
): void {
  const environments = guarded
    .filter(({ moves }) =>
      moves.some((move) => move.before?.rule === undefined && move.after.rule === undefined),
    )
    .map(({ environment }) => environment)
  if (environments.length === 0 || before.flag.type !== after.flag.type) return
  if (sameValue(before.flag.defaultValue, after.flag.defaultValue)) return
  report.add({
    code: "default-flipped",
    message: `The default has changed, and all in ${list(environments)} whom no rule matches get another value at once. Check that this is intended.`,
    ...locationOfMember(after, "defaultValue"),
  })
}

/** A flag that somebody had is switched off in a protected environment, or no longer configured there. */
export function switchedOff(
  { before, after }: FlagOnBothSides,
  { environment, moves }: Transition,
  report: Report,
): void {
  const enabled = (side: typeof after) => side.configurations.get(environment)?.enabled === true
  if (!enabled(before) || enabled(after) || moves.length === 0) return
  const written = definedIn(after, environment)
  const place = locationOfEnvironment(written === undefined ? before : after, environment)
  const how = written === undefined ? "no longer configured" : "switched off"
  report.add({
    code: "switched-off",
    message: `\`${after.flag.key}\` is ${how} in \`${environment}\`: all there get its default at once. Check that this is intended.`,
    source: place.source,
    span: (written && memberOf(written.node, "enabled")?.value) ?? place.span,
  })
}

/** A percentage falls, jumps, gives way to everyone in a protected environment, or deals by another attribute. */
export function percentageChanged(
  pair: FlagOnBothSides,
  { environment, match, moves, before: outcomes }: Transition,
  isProtected: boolean,
  report: Report,
): void {
  if (match === undefined || pair.after.configurations.get(environment)?.enabled !== true) return
  const wasEnabled = pair.before.configurations.get(environment)?.enabled === true
  for (const [before, after] of rulesThatBecame(match)) {
    const [by, nowBy] = [shareAttributes(before), shareAttributes(after)]
    const isDealtAgain = wasEnabled && nowBy.length > 0 && !sameValue(by.toSorted(), nowBy.toSorted())
    const location = locationOfRule(pair.after, environment, after, isDealtAgain ? "attribute" : undefined)
    if (by.length === 0 || location === undefined) continue
    if (isDealtAgain) {
      report.add({
        code: "bucketing-changed",
        message: `In \`${environment}\` this percentage goes by another attribute than before: everybody is dealt again, so many lose what they had. Keep the attribute, or start a new flag.`,
        ...location,
      })
      continue
    }
    const isShare = after.operator === "percentage"
    if (before.operator !== "percentage" || !(isShare || after.operator === "always")) continue
    const [shareBefore, shareAfter] = [Number(before.value), isShare ? Number(after.value) : 100]
    const left = moves.filter((move) => move.before?.rule === before)
    const isOnlyRedealt = left.length > 0 && left.every((move) => isRedealt(move, outcomes))
    if (wasEnabled && shareAfter < shareBefore && !isOnlyRedealt)
      report.add({
        code: "percentage-decreased",
        message: `In \`${environment}\` the percentage falls from ${shareBefore} to ${shareAfter}: people lose what they had. Check that this is intended.`,
        ...location,
      })
    if (shareBefore === 0 && shareAfter === 100)
      report.add({
        code: "percentage-jumped",
        message: `In \`${environment}\` the percentage goes straight from 0 to 100. Raise it in steps.`,
        ...location,
      })
    else if (isProtected && wasEnabled && !isShare && shareBefore < 100)
      report.add({
        code: "on-for-everyone",
        message: `In \`${environment}\` a rule for ${shareBefore} % becomes one for everyone. Raise the percentage in steps first.`,
        ...location,
      })
  }
}

/** Pairs of rules that give the same value, where the second one may have come for the first. */
function rulesThatBecame({ pairs, removed, added }: RuleMatch): readonly (readonly [Rule, Rule])[] {
  return [
    ...pairs.map(({ before, after }) => [before, after] as const),
    ...removed.flatMap(({ before }) => added.map(({ after }) => [before, after] as const)),
  ].filter(([before, after]) => sameValue(before.returnValue, after.returnValue))
}
