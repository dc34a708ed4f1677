import { list } from "../diagnostics/suggest.ts"
import { memberOf, type Node, toValue } from "../language/tree.ts"
import { flagMembers } from "../reading/grammar/schema.ts"
import { isReplaced } from "../reading/hints/unknown-field.ts"
import type { Check } from "./check.ts"

/** Each flag has the fields that the project file requires, and they are not empty; a tag can exempt it. */
export const requiredFieldsAreThere: Check = ({ source, root }, { required }, report) => {
  if (required.length === 0) return
  const tagged = memberOf(root, "tags")?.value
  const tags = tagged?.kind === "sequence" ? tagged.items.map(toValue) : []
  for (const { field, exceptTagged } of required) {
    const written = memberOf(root, field)
    if ((written !== undefined && !isEmpty(written.value)) || exceptTagged.some((tag) => tags.includes(tag)))
      continue
    if (isReplaced(field, { mapping: root, known: flagMembers }) || isReported(field, written?.value))
      continue
    const exemption = exceptTagged.length === 0 ? "" : `, or tag the flag ${list(exceptTagged)}`
    report.add({
      code: "missing-field",
      message:
        written === undefined
          ? `The flag has no \`${field}\`, and project.yaml requires it. Add it${exemption}.`
          : `The flag's \`${field}\` is empty, and project.yaml requires it. Fill it in${exemption}.`,
      source,
      span: (written ?? root.members[0])?.nameSpan ?? root,
    })
  }
}

/** Whether another check reports the value: it is not text, or it must have a form. */
function isReported(field: string, value: Node | undefined): boolean {
  if (value === undefined) return false
  if (field === "name" && toValue(value) === "") return true
  return field === "type" || field === "expires" || (field === "tags") !== (value.kind === "sequence")
}

/** Blanks alone, and a list of nothing else, are as good as no field. */
function isEmpty(value: Node): boolean {
  if (value.kind === "sequence") return value.items.every(isEmpty)
  return value.kind === "scalar" && typeof value.value === "string" && value.value.trim() === ""
}
