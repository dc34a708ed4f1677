import { momentsIn } from "../flag/times.ts"
import type { Check } from "./check.ts"

/** The rules of an environment change at few moments, those of segments and other flags included: `diff` judges users at each of them. */
export const momentsAreFew: Check = (flag, { clock }, report) => {
  if (clock === undefined) return
  for (const [environment, { node }] of flag.configurations) {
    const [, ...moments] = momentsIn([flag], environment, { attribute: clock, now: Number.NEGATIVE_INFINITY })
    if (moments.length > mostMoments)
      report.add({
        code: "too-many-conditions",
        message: `The rules for \`${environment}\` compare \`${clock}\` with ${moments.length} moments; they may have at most ${mostMoments}. Compare fewer, such as those of shorter ramps.`,
        source: flag.source,
        span: { start: node.start, end: node.start },
      })
  }
}

/** Two ramps of the longest. */
const mostMoments = 100
