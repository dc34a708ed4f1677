import type { Report } from "../diagnostics/diagnostic.ts"
import { plural } from "../diagnostics/plural.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { shareOperator } from "../language/comparisons.ts"
import type { Flag, Segment } from "../language/flag.ts"
import { fitsType } from "../language/known-attributes.ts"
import { attributeUses } from "../reading/conditions-in-file.ts"
import type { Project } from "../reading/project.ts"

/** A share takes or leaves all users of a value. If there are few values, a tenth may be none of the users, or half of them. */
export function sharesAreOfMany(
  file: Flag | Segment,
  { attributes }: Pick<Project, "attributes">,
  report: Report,
): void {
  const reported = new Set<number>()
  for (const { condition } of attributeUses(file)) {
    const span = condition.at?.attribute
    if (condition.kind !== "share" || span === undefined) continue
    const { type, values } = attributes?.get(condition.by) ?? {}
    if (!fitsType({ type }, shareOperator)) continue // reported as an operator that does not fit
    if (values ? values.length >= few : !namesOfFew.test(condition.by)) continue
    if (reported.size === reported.add(span.start).size) continue
    const amount = values ? `only ${plural(values.length, "value")}` : "few values"
    report.add({
      code: "coarse-share",
      message: `${quoted(condition.by)} has ${amount}, and a share takes or leaves all users of a value. Choose an attribute that differs from user to user, such as \`userId\`.`,
      source: file.source,
      span,
    })
  }
}

/** With fewer values, hardly any share is as large as it is written. */
const few = 10

/** Names of attributes that are alike for many users, whether or not the project lists their values. */
const namesOfFew = /^(country|countryCode|region|continent|language|locale|plan|role|platform)$/i
