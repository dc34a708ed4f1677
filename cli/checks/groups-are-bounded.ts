import { deepestGroup, mostConditions } from "../../sdk/evaluation/condition.ts"
import type { Report, Span } from "../diagnostics/diagnostic.ts"
import { list } from "../diagnostics/suggest.ts"
import { type Condition, sizeOf } from "../language/condition.ts"
import { createEncode, longestGroups } from "../language/encode.ts"
import type { Flag, Segment } from "../language/flag.ts"
import { isResolved, namesOf, referencesIn } from "../language/references.ts"
import { spanOfCondition, spanOfForm, spanOfName } from "../reading/condition.ts"
import { sentConditions } from "../reading/conditions-in-file.ts"
import type { SentConditionCheck } from "./check.ts"

/**
 * Including the segments that they use, groups are no deeper, larger or longer on the wire than SDKs and builds can
 * handle. A segment's own mistakes are reported in its file.
 */
export const groupsAreBounded: SentConditionCheck = (file, _project, report) => {
  const encode = createEncode("key" in file ? file.key : undefined)
  for (const condition of sentConditions(file)) {
    if (condition.kind === "comparison" || condition.kind === "share" || !isResolved(condition)) continue
    if (!isBounded(condition, file, report)) return
    if (encode(condition) !== undefined) continue
    const names = namesIn(condition)
    const what = names.length === 0 ? "groups" : `groups and segments (here ${list(names)})`
    const message = `The ${what} in this file take up more than ${longestGroups} characters on the wire, where each level escapes the quotes of the level below. Nest them less deeply, or shorten their lists.`
    report.add({
      code: "too-many-conditions",
      message,
      source: file.source,
      span: spanOfCondition(condition),
    })
    return
  }
}

function namesIn(condition: Condition): readonly string[] {
  const { segments, flags } = namesOf(referencesIn(condition))
  return [...segments, ...flags]
}

function isBounded(whole: Condition, file: Flag | Segment, report: Report): boolean {
  const { source } = file
  const { depth, conditions } = sizeOf(whole)
  if (depth > deepestGroup) report.add({ code: "too-deep", source, ...tooDeep(whole) })
  if (conditions > mostConditions) {
    const names = namesIn(whole)
    const those = names.length === 0 ? "" : `, including those of ${list(names)}`
    const what = "condition" in file ? "segment" : "rule"
    const message = `This ${what} has ${conditions} conditions${those}; a ${what} may have at most ${mostConditions}, counting groups. Use \`in\` with a list for many strings, or write several ${what}s.`
    report.add({ code: "too-many-conditions", message, source, span: spanOfCondition(whole) })
  }
  return depth <= deepestGroup && conditions <= mostConditions
}

/** The message about a condition that is too deep, at the first place in its file that is. */
function tooDeep(whole: Condition): { readonly message: string; readonly span: Span } {
  let part = whole
  for (let left = deepestGroup; left > 0 && "parts" in part; left--)
    part = part.parts.find((inner) => sizeOf(inner).depth >= left) ?? part
  const [what, span, advice] =
    "means" in part
      ? [
          `Including those of the ${part.kind} \`${part.kind === "flag" ? part.key : part.name}\`, \`all\`, \`any\` and \`none\``,
          spanOfName(part),
          part.kind === "flag" ? "Shorten the chain of flags, or flatten their conditions." : "Flatten them.",
        ]
      : ["`all`, `any` and `none`", spanOfForm(part), "Flatten them."]
  return { message: `${what} are nested more than ${deepestGroup} levels deep. ${advice}`, span }
}
