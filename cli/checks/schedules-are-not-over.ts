import { parseMoment } from "../../sdk/evaluation/moment.ts"
import type { Report } from "../diagnostics/diagnostic.ts"
import { operandText } from "../language/condition.ts"
import type { Flag, Segment } from "../language/flag.ts"
import { operators } from "../language/operators.ts"
import { attributeUses } from "../reading/conditions-in-file.ts"
import type { Project } from "../reading/project.ts"

/**
 * The time is not compared with the end of a schedule that is over. Its attribute is the project's `clock`, or `now`, as the pages
 * have it. `now` is in milliseconds since 1970.
 */
export function schedulesAreNotOver(
  file: Flag | Segment,
  { clock = "now" }: Pick<Project, "clock">,
  now: number,
  report: Report,
): void {
  for (const { condition } of attributeUses(file)) {
    if (condition.kind !== "comparison" || condition.attribute !== clock || condition.at?.value === undefined)
      continue
    const question = operators.get(condition.operator)?.question
    const end =
      question?.kind === "bound" && question.order === "moment" && question.isUpper
        ? parseMoment(operandText(condition))
        : undefined
    if (end === undefined || end > now) continue
    report.add({
      code: "schedule-over",
      message: `This is over: \`${clock}\` is later than that. Remove what depends on it, or set a later date.`,
      source: file.source,
      span: condition.at.value,
    })
  }
}
