import { didYouMean, quoted } from "../../diagnostics/suggest.ts"
import { eachCondition, eachUse } from "../definition/each-condition.ts"
import { segmentNamePattern } from "../grammar/names.ts"
import type { ConditionCheck } from "./check.ts"

/** Each `segment:` names a segment of the project. */
export const segmentsAreKnown: ConditionCheck = (file, _project, report) => {
  const { source, segments } = file
  eachCondition(file, (condition) =>
    eachUse(condition, ({ name }) => {
      if (name === undefined || name.text === "" || segments.get(name.text) !== undefined) return
      if (segments.names.includes(name.text)) return // its mistakes are reported in its file
      const flag = segments.flags?.get(name.text)
      if (flag?.isFlag === false) return // its name is wrong, which is reported there
      const known = segments.names.filter((one) => segmentNamePattern.test(one))
      const [, negated] = /^!\s*(.+)$/.exec(name.text) ?? []
      const advice =
        negated !== undefined
          ? `. To negate a segment, write \`none: [{ segment: ${negated} }]\`.`
          : flag !== undefined
            ? `, but there is a flag with that name: write \`flag: ${name.text}\`.`
            : known.length === 0
              ? `. Define it in the file \`${name.text}.segment.yaml\` in the flags folder.`
              : didYouMean(name.text, known)
      report.add({
        code: "unknown-segment",
        message: `Unknown segment ${quoted(name.text)}${advice}`,
        source,
        span: name.span,
      })
    }),
  )
}
