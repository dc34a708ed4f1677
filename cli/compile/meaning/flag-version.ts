import type { Configuration, Json } from "../../../proxy/contract/snapshot.ts"
import { canonicalJson } from "./canonical-json.ts"
import { type OpenConfiguration, segmentsIn } from "./configuration.ts"
import { configurationText, hasParts, type Meaning, openText } from "./meaning.ts"
import type { OpenCondition } from "./open-condition.ts"
import type { ResolvedFlag } from "./resolve.ts"

/**
 * What one version of a flag file means, as far as times need it. The meaning is what today's Flagstone makes of it with
 * today's project file, so a change of either one moves no time.
 */
export interface FlagVersion {
  readonly key: string
  /** Of the definition's own members. */
  readonly definition: Meaning
  /** By environment. */
  readonly configurations: ReadonlyMap<string, Meaning>
  /**
   * The names of the segments that configurations use, by environment; absent for those that use none. The meaning of one
   * that does depends on them: it is an `openText`.
   */
  readonly uses?: ReadonlyMap<string, readonly string[]>
}

/** What one version of a segment file says, as far as times need it. */
export interface SegmentVersion {
  readonly name: string
  readonly condition: OpenCondition
}

/** A flag as a version. `text` is its JSON, `texts` that of its configurations: most mean exactly these. */
export function versionOfFlag(
  { flag, configurations, open }: Omit<ResolvedFlag, "definition">,
  text: string,
  texts: ReadonlyMap<string, string>,
): FlagVersion {
  /** Present where the meaning of a configuration is another text than its JSON: there are few. */
  let meanings: Map<string, Meaning> | undefined
  configurations.forEach((configuration, environment) => {
    const meaning = meaningOf(configuration, open?.get(environment))
    if (meaning === undefined) return
    meanings ??= new Map(texts)
    meanings.set(environment, meaning)
  })
  return {
    key: flag.key,
    definition: hasParts(flag.defaultValue) ? canonicalJson(flag as unknown as Json) : text,
    configurations: meanings ?? texts,
    ...(open === undefined ? {} : { uses: usesOf(open) }),
  }
}

/** `undefined` where the JSON of the configuration is what it means. */
function meaningOf(
  configuration: Omit<Configuration, "updatedAt">,
  open: OpenConfiguration | undefined,
): Meaning | undefined {
  if (open !== undefined) return openText(open)
  const hasOrder = configuration.rules.some(({ returnValue }) => hasParts(returnValue))
  return hasOrder ? configurationText(configuration) : undefined
}

function usesOf(open: NonNullable<ResolvedFlag["open"]>): NonNullable<FlagVersion["uses"]> {
  return new Map(
    [...open].map(([environment, configuration]) => [environment, [...segmentsIn(configuration)]]),
  )
}
