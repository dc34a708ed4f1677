import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { segmentNamePattern } from "../language/names.ts"
import { spanOfName } from "../reading/condition.ts"
import { type ConditionCheck, conditionsIn } from "../reading/conditions-in-file.ts"

/** Each `segment:` names a segment of the project. */
export const segmentsAreKnown: ConditionCheck = (file, _project, report) => {
  const { source, references } = file
  for (const part of conditionsIn(file)) {
    if (part.kind !== "segment" || part.name === "") continue
    const { name } = part
    if (references.names.includes(name)) continue // its mistakes are reported in its file
    const flag = references.flags?.get(name)
    if (flag?.isFlag === false) continue // its name is wrong, which is reported there
    const known = references.names.filter((one) => segmentNamePattern.test(one))
    const [, negated] = /^!\s*(.+)$/.exec(name) ?? []
    const advice =
      negated !== undefined
        ? `. To negate a segment, write \`none: [{ segment: ${negated} }]\`.`
        : flag !== undefined
          ? `, but there is a flag with that name: write \`flag: ${name}\`.`
          : known.length === 0
            ? `. Define it in the file \`${name}.segment.yaml\` in the flags folder.`
            : didYouMean(name, known)
    report.add({
      code: "unknown-segment",
      message: `Unknown segment ${quoted(name)}${advice}`,
      source,
      span: spanOfName(part),
    })
  }
}
