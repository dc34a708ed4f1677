import { gateWarnings } from "./gate.ts"
import { type Compared, type GateWarning, gateCodes } from "./gate-warning.ts"

/**
 * What a change does to users of a protected environment, now or later: each time is judged like an edit of its own. Of one place
 * and kind the gravest warning is kept, with the first moment from which it holds: how many users change later hides no loss now.
 */
export function warningsInTime(compared: Compared): readonly GateWarning[] {
  const { times } = compared.transition
  if (times === undefined) return gateWarnings(compared)
  const found = times.flatMap((transition, at) =>
    gateWarnings({ ...compared, transition, isLater: at > 0 }).map((warning) =>
      at === 0 ? warning : { ...warning, from: transition.from },
    ),
  )
  const gravity = ({ code }: GateWarning) => gateCodes.indexOf(code)
  const kindOf = ({ code, span }: GateWarning) =>
    `${span.start} ${code === "everyone-changes" ? "many-change" : code}`
  return [...Map.groupBy(found, kindOf).values()].flatMap((alike) =>
    alike.toSorted((a, b) => gravity(a) - gravity(b)).slice(0, 1),
  )
}
