import { gateWarnings } from "./gate.ts"
import { type Compared, type GateWarning, gateCodes } from "./gate-warning.ts"

/**
 * What a change does to users of a protected environment, now or later: each time is judged like an edit of its own. Of one place
 * the gravest warning is kept, with the first moment from which it holds, and beside `everyone-changes` the first loss.
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
  return [...Map.groupBy(found, ({ span }) => span.start).values()].flatMap((own) => {
    const [gravest, ...others] = own.toSorted((a, b) => gravity(a) - gravity(b))
    const lost = others.find(({ code }) => code === "users-lose")
    return gravest?.code === "everyone-changes" && lost ? [gravest, lost] : (gravest ?? [])
  })
}
