import type { Rule } from "../../../sdk/contract/snapshot.ts"
import type { Move } from "../../conditions/moves/moves.ts"
import { type Finding, type Location, type Span, wholeFile } from "../../diagnostics/diagnostic.ts"
import type { Phrase } from "../../diagnostics/phrase.ts"
import type { ResolvedFlag } from "../../flag/resolve.ts"
import { sameRule } from "../../flag/same-rule.ts"
import { sameValue } from "../../language/canonical-json.ts"
import { memberOf } from "../../language/tree.ts"
import { spanOfCondition } from "../../reading/condition.ts"
import type { DefinedConfiguration } from "../../reading/definition.ts"
import { endOf } from "../../reading/share.ts"
import { type SentRule, sentRules } from "../../reading/split.ts"
import type { FlagOnBothSides } from "../sides/pair-flags.ts"
import type { Transition } from "../transitions/transition.ts"

/** A warning about an environment. The words continue a sentence that begins with its name. */
export interface Warning extends Omit<Finding, "message" | "phrase"> {
  readonly words: Phrase
}

/** A flag's configuration in an environment, as its author wrote it. */
function definedIn({ definition }: ResolvedFlag, environment: string): DefinedConfiguration | undefined {
  return definition.configurations.find((configuration) => configuration.environment === environment)
}

/** Where a flag's file names an environment, or the whole file. */
export function locationOfEnvironment(flag: ResolvedFlag, environment: string): Location {
  const { source } = flag.definition
  return { source, span: definedIn(flag, environment)?.nameSpan ?? wholeFile }
}

/** The value of a flag's member in its file; the whole file if it is not written. */
export function locationOfMember({ definition }: ResolvedFlag, member: "type" | "defaultValue"): Location {
  return { source: definition.source, span: memberOf(definition.root, member)?.value ?? wholeFile }
}

/** A rule's place in its file: its attribute if that is requested, else its percentage, else its operator. */
export function locationOfRule(
  flag: ResolvedFlag,
  environment: string,
  rule: Rule,
  part?: "attribute",
): Location | undefined {
  // Resolved rules have the order of the defined ones.
  const index =
    flag.configurations.get(environment)?.rules.findIndex((another) => sameRule(another, rule)) ?? -1
  const configuration = definedIn(flag, environment)
  const defined = configuration && sentRules(configuration)[index]
  if (defined === undefined) return undefined
  const { start, end } = spanIn(defined, part)
  return { source: flag.definition.source, span: { start, end } }
}

/** Where the edit behind a group was made: a rule that now decides, or what replaced one that did. */
export function locationOfChange(
  pair: FlagOnBothSides,
  { environment, match }: Transition,
  moves: readonly Pick<Move, "before" | "after">[],
): Location {
  const { before, after } = pair
  const written = definedIn(after, environment)
  if (isSwitchedOff(pair, environment)) {
    const place = locationOfEnvironment(written === undefined ? before : after, environment)
    return { source: place.source, span: (written && memberOf(written.node, "enabled")?.value) ?? place.span }
  }
  const became = match?.pairs.find((pair) => moves.some((move) => move.before.rule === pair.before))
  const rule = moves.find((move) => move.after.rule !== undefined)?.after.rule ?? became?.after
  const ofRule = rule && locationOfRule(after, environment, rule)
  if (ofRule !== undefined) return ofRule
  return sameValue(before.flag.defaultValue, after.flag.defaultValue)
    ? locationOfEnvironment(after, environment)
    : locationOfMember(after, "defaultValue")
}

function isSwitchedOff({ before, after }: FlagOnBothSides, environment: string): boolean {
  const [wasOn, isOn] = [before, after].map((side) => side.configurations.get(environment)?.enabled === true)
  return wasOn === true && isOn !== true
}

function spanIn({ condition, split }: SentRule, part: "attribute" | undefined): Span {
  // The share of an arm comes after the condition that limits the split.
  const decisive = (split && "parts" in condition ? condition.parts.at(-1) : undefined) ?? condition
  if (part === "attribute" && decisive.at?.attribute !== undefined) return decisive.at.attribute
  return (decisive.kind === "share" ? endOf(decisive) : undefined) ?? spanOfCondition(condition)
}
