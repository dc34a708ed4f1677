import { list } from "../../diagnostics/suggest.ts"
import { memberOf, toValue } from "../yaml/tree.ts"
import type { Check } from "./check.ts"

/** Each flag has the members that the project file requires of it; a tag can excuse it. */
export const requiredMembersAreThere: Check = ({ source, root }, { required }, report) => {
  if (required.length === 0) return
  const written = memberOf(root, "tags")?.value
  const tags = written?.kind === "sequence" ? written.items.map(toValue) : []
  for (const { member, exceptTagged } of required) {
    if (memberOf(root, member) !== undefined || exceptTagged.some((tag) => tags.includes(tag))) continue
    const excuse = exceptTagged.length === 0 ? "" : `, or tag it ${list(exceptTagged)}`
    report.add({
      code: "missing-member",
      message: `The flag needs the member \`${member}\`, because project.yaml requires it. Add it${excuse}.`,
      source,
      span: root.members[0]?.nameSpan ?? root,
    })
  }
}
