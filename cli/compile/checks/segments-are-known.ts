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
      if (segments.names.includes(name.text)) return // it has mistakes, which stand in its file
      const known = segments.names.filter((one) => segmentNamePattern.test(one))
      const advice =
        known.length === 0
          ? `: write it as \`${name.text}.segment.yaml\`, a file of its own below the flags folder.`
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
