import { momentGrammar, parseMoment } from "../../sdk/evaluation/moment.ts"
import type { Report } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { type Group, isRamp } from "../language/condition.ts"
import { memberOf, type Node, writtenText } from "../language/tree.ts"
import { spanOfForm } from "./condition.ts"
import { type ConditionCheck, conditionsIn, type WithConditions } from "./conditions-in-file.ts"
import { unixMoment } from "./hints/operand-fault.ts"
import { stagesOf } from "./ramp.ts"
import { everyone, isNumber, thousandthsOf } from "./share.ts"

/**
 * The stages of a ramp begin one after the other, each with more users than the one before, so that no one loses what a stage
 * gave. The project names the attribute of the time.
 */
export const rampsGoUp: ConditionCheck = (file, { clock }, report) => {
  for (const part of conditionsIn(file)) {
    if (!isRamp(part)) continue
    const message = "A ramp compares the time. Name its attribute in project.yaml, such as `clock: now`."
    if (clock === undefined)
      report.add({ code: "bad-ramp", message, source: file.source, span: spanOfForm(part) })
    checkStages(part, file, report)
  }
}

function checkStages({ at, ramp }: Group, file: WithConditions, report: Report): void {
  const add = (message: string, span: Node) =>
    report.add({ code: "bad-ramp", message, source: file.source, span })
  const whole = at?.value
  if (whole?.kind !== "mapping" || ramp === undefined) return // its shape is wrong
  const stages = stagesOf(whole)
  if (stages.length < 2 && memberOf(whole, "stages")?.value.kind === "sequence")
    add("A ramp has at least two stages. If the share does not grow, write `share` instead.", whole)
  if (stages.length > mostStages) add(`A ramp may have at most ${mostStages} stages. Remove some.`, whole)
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
        "This stage does not begin after the one before. Write a later moment, or sort the stages by their moments.",
        moment,
      )
    const wrong = isNumber(share) ? shareFault(width, lastShare, ramp.from) : undefined
    if (wrong !== undefined) add(wrong, share)
    lastMoment = Math.max(lastMoment, time ?? lastMoment)
    lastShare = Math.max(lastShare, width ?? 0)
  }
}

/** What is wrong with the share of a stage. `width` and `last`, the share of the stage before: in thousandths. */
function shareFault(width: number | undefined, last: number, from: number): string | undefined {
  const most = everyone - Math.round(from * 1_000)
  if (width === undefined || width === 0)
    return "`share` must be a number above 0, up to 100, with at most three decimals."
  if (width <= last) {
    const more = last < most ? `write more than ${last / 1_000}, or ` : ""
    return `Shares go up, so that no one loses what an earlier stage gave: ${more}remove a stage.`
  }
  if (width > most)
    return `This share begins at ${from}, so it ends after 100. Write at most ${most / 1_000}.`
  return undefined
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
