import type { Json } from "../../../proxy/contract/snapshot.ts"
import { compareText } from "../../diagnostics/diagnostic.ts"
import { canonicalJson } from "./canonical-json.ts"
import { segmentsIn } from "./configuration.ts"
import {
  hasParts,
  type Meaning,
  meaningOf,
  meaningOfConfiguration,
  type OpenText,
  openText,
} from "./meaning.ts"
import { type OpenCondition, parseFlagUse } from "./open-condition.ts"
import type { ResolvedFlag } from "./resolve.ts"

/**
 * The meaning of one version of a flag file, as far as times need it. Today's Flagstone and today's project file determine
 * the meaning of every version, so a change of either moves no time.
 */
export interface FlagVersion {
  readonly key: string
  /** Of the definition's own members. */
  readonly definition: Meaning
  /** Of its `defaultValue` alone, which dependent flags need. */
  readonly defaultValue: Meaning
  /** By environment; an open text for those in `uses`, whose meaning depends on segments. */
  readonly configurations: ReadonlyMap<string, Meaning | OpenText>
  /** The names of the segments that configurations use, by environment; absent if none does. */
  readonly uses?: ReadonlyMap<string, readonly string[]>
}

/** One version of a segment file, as far as times need it. */
export interface SegmentVersion {
  readonly name: string
  readonly condition: OpenCondition
}

/** A flag as a version. */
export function versionOfFlag({ flag, configurations, open }: ResolvedFlag): FlagVersion {
  const meanings = new Map<string, Meaning | OpenText>()
  configurations.forEach((configuration, environment) => {
    const before = open?.get(environment)
    meanings.set(environment, before ? openText(before) : meaningOfConfiguration(configuration))
  })
  return {
    key: flag.key,
    definition: meaningOf(
      hasParts(flag.defaultValue) ? canonicalJson(flag as unknown as Json) : JSON.stringify(flag),
    ),
    defaultValue: meaningOf(canonicalJson(flag.defaultValue)),
    configurations: meanings,
    ...(open === undefined ? {} : { uses: usesOf(open) }),
  }
}

function usesOf(open: NonNullable<ResolvedFlag["open"]>): NonNullable<FlagVersion["uses"]> {
  return new Map(
    [...open].map(([environment, configuration]) => [environment, [...segmentsIn(configuration)]]),
  )
}

/** The flags that a flag depends on, by environment. */
export function asksOf({
  open,
}: ResolvedFlag): readonly { readonly environment: string; readonly key: string }[] {
  return [...(open?.values() ?? [])].flatMap((configuration) =>
    [...segmentsIn(configuration)].flatMap((name) => {
      const [environment, key] = parseFlagUse(name) ?? []
      return environment === undefined || key === undefined ? [] : [{ environment, key }]
    }),
  )
}

/** The keys of the flags that a flag depends on, in any environment, sorted. */
export function keysAskedBy(flag: ResolvedFlag): readonly string[] {
  return [...new Set(asksOf(flag).map(({ key }) => key))].sort(compareText)
}
