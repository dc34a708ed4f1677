import type { Segments } from "../definition/segments.ts"
import { closeConfiguration, type OpenConfiguration } from "./configuration.ts"
import type { ResolvedFlag } from "./resolve.ts"
import { createTravel } from "./travelling.ts"

/** The same flag where segments stand for something else. */
export function withSegments(flag: ResolvedFlag, segments: Segments): ResolvedFlag {
  const { definition, configurations, open = new Map<string, OpenConfiguration>() } = flag
  const travel = createTravel(segments)
  const closed = [...open].map(
    ([name, configuration]) => [name, closeConfiguration(configuration, travel)] as const,
  )
  return {
    ...flag,
    definition: { ...definition, segments },
    configurations: new Map([...configurations, ...closed]),
  }
}
