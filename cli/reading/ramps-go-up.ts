import { momentGrammar, parseMoment } from "../../sdk/evaluation/moment.ts"
import type { Report } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { sameValue } from "../language/canonical-json.ts"
import { type Condition, fold, type Group, isRamp, visit } from "../language/condition.ts"
import { jsonOf, memberOf, type Node, writtenText } from "../language/tree.ts"
import { spanOfForm } from "./condition.ts"
import { type ConditionCheck, conditionsIn, type WithConditions } from "./conditions-in-file.ts"
import { unixMoment } from "./hints/operand-fault.ts"
import { stagesOf } from "./ramp.ts"
import { everyone, thousandthsOf } from "./share.ts"

/**
 * The stages of a ramp begin one after the other, each with more users than the one before, so that no one loses what a stage
 * gave. The project names the attribute of the time. In `none`, or as a flag's other value, a ramp would take from ever more
 * users, and give to those whose time is unknown. An invariant gives nothing, and a rule that gives the default takes nothing.
 */
export const rampsGoUp: ConditionCheck = (file, { clock }, report) => {
  const conditions = [...conditionsIn(file)]
  const giving = new Set(givingConditions(file))
  const inNone = new Set<Condition>() // under an odd number of groups
  for (const part of conditions)
    for (const inner of part.kind === "none" ? visit(part) : []) if (!inNone.delete(inner)) inNone.add(inner)
  for (const part of conditions) {
    const add = (code: "bad-ramp" | "inverted-ramp", message: string) =>
      report.add({ code, message, source: file.source, span: spanOfForm(part) })
    const { grows, shrinks } =
      !giving.has(part) || ("parts" in part && !isRamp(part)) ? neither : movesOf(part)
    if (inNone.has(part) && grows)
      add(
        "inverted-ramp",
        "In `none`, a ramp takes the value from more and more users, and contexts without a time match. Swap the values instead.",
      )
    else if (part.kind === "flag" && !inNone.has(part) && shrinks)
      add(
        "inverted-ramp",
        `As a ramp grows, ${quoted(part.key)} gives this value to fewer and fewer users, and contexts without a time match. Swap the values instead.`,
      )
    if (!isRamp(part)) continue
    if (clock === undefined)
      add("bad-ramp", "A ramp compares the time. Name its attribute in project.yaml, such as `clock: now`.")
    checkStages(part, file, report)
  }
}

/** The conditions of a segment, or of the rules that may give another value than the flag's default. */
function* givingConditions(file: WithConditions): Generator<Condition, void> {
  if ("condition" in file) yield* visit(file.condition)
  else if ("configurations" in file)
    for (const { items } of file.configurations.values())
      for (const { condition, split, returnValue } of items)
        if (
          condition !== undefined &&
          (split !== undefined || !sameValue(jsonOf(returnValue), file.defaultValue))
        )
          yield* visit(condition)
}

/** Whether a condition matches more users, or fewer, as the ramps in it and in what it refers to grow. */
function movesOf(condition: Condition): { readonly grows: boolean; readonly shrinks: boolean } {
  return fold(
    condition,
    (node, parts: readonly (typeof neither)[]) => {
      const [grows, shrinks] = [parts.some((part) => part.grows), parts.some((part) => part.shrinks)]
      if (isRamp(node)) return { grows: true, shrinks: false }
      return node.kind === "none" ? { grows: shrinks, shrinks: grows } : { grows, shrinks }
    },
    "meanings",
  )
}

const neither = { grows: false, shrinks: false }

function checkStages({ at, ramp }: Group, file: WithConditions, report: Report): void {
  const add = (message: string, span: Node) =>
    report.add({ code: "bad-ramp", message, source: file.source, span })
  const whole = at?.value
  if (whole?.kind !== "mapping" || ramp === undefined) return // the shape is wrong, and was reported
  const stages = stagesOf(whole)
  if (stages.length < 2 && memberOf(whole, "stages")?.value.kind === "sequence")
    add("A ramp has at least two stages. If the share does not grow, write `share` instead.", whole)
  if (stages.length > mostStages) add(`A ramp may have at most ${mostStages} stages.`, whole)
  if (ramp.from > 0 && ramp.seed === undefined && "condition" in file)
    add("In a segment, a ramp with `from` needs a `seed`, such as the segment's name.", whole)
  let [lastMoment, lastShare] = [Number.NEGATIVE_INFINITY, 0]
  for (const { moment, share } of stages) {
    const text = writtenText(moment)?.text
    if (moment === undefined || text === undefined || share === undefined) continue
    const [time, width] = [parseMoment(text), thousandthsOf(share)]
    const fault = momentFault(text)
    if (fault !== undefined) add(fault, moment)
    else if (time !== undefined && time <= lastMoment)
      add(
        "This stage does not begin after the one before. Write the stages in the order of their moments.",
        moment,
      )
    if (width === undefined || width === 0)
      add("`share` must be a number above 0, up to 100, with at most three decimals.", share)
    else if (width <= lastShare)
      add(
        `Shares go up, so that no one loses what an earlier stage gave: write more than ${lastShare / 1_000}, or remove a stage.`,
        share,
      )
    else if (ramp.from * 1_000 + width > everyone)
      add(`This share begins at ${ramp.from}, so it ends after 100. Write less.`, share)
    lastMoment = Math.max(lastMoment, time ?? lastMoment)
    lastShare = Math.max(lastShare, width ?? 0)
  }
}

/** What is wrong with the moment of a stage. A date alone would begin at a time that its author may not have in mind. */
function momentFault(text: string): string | undefined {
  if (parseMoment(text) !== undefined)
    return text.length > 10
      ? undefined
      : `Write the time, too, with its zone: ${quoted(`${text}T09:00:00Z`)} is 9 o'clock in UTC.`
  const [, local] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)$/.exec(text) ?? []
  const zoned = local === undefined ? "" : `${local}${local.length === 16 ? ":00" : ""}Z`
  if (momentGrammar.test(zoned) && parseMoment(zoned) !== undefined)
    return `Write the zone, too: ${quoted(zoned)} is in UTC.`
  const moment = unixMoment(text)
  if (moment !== undefined) return `\`at\` must be a moment (RFC 3339). Write \`${moment}\`.`
  return "`at` must be a moment such as `2026-12-01T09:00:00Z` (RFC 3339)."
}

/** Each is three conditions, and no one reads a calendar that is longer. */
const mostStages = 50
