import type { Json } from "../../sdk/contract/snapshot.ts"
import { dependsOnOthers } from "../flag/flag-uses.ts"
import { sentConfiguration, sentFlag } from "../flag/sent-flag.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import type { Condition } from "../language/condition.ts"
import type { Flag } from "../language/flag.ts"
import {
  hasParts,
  type Meaning,
  meaningOf,
  meaningOfConfiguration,
  type ReferringMeaning,
  referringMeaning,
} from "./configuration-meaning.ts"

/**
 * The meaning of one version of a flag file, as far as times need it. Today's Flagstone and today's project file determine
 * the meaning of every version, so a change of either moves no time.
 */
export interface FlagVersion {
  /** A path that it had, relative to the flags folder, and the id of its content: together they give it again. */
  readonly path: string
  readonly blob: string
  readonly key: string
  /** Of the definition's own members. */
  readonly definition: Meaning
  /** Of its `defaultValue` alone, which dependent flags need. */
  readonly defaultValue: Meaning
  /** By environment. */
  readonly configurations: ReadonlyMap<string, Meaning | ReferringMeaning>
}

/** One version of a segment file, or of a file with a list, as far as times need it. */
export interface SegmentVersion {
  readonly name: string
  /** As written, without places. */
  readonly condition: Condition
}

/** A flag as the version of the file that has this content at this path. */
export function versionOfFlag(flag: Flag, path: string, blob: string): FlagVersion {
  const meanings = new Map<string, Meaning | ReferringMeaning>()
  for (const [environment, configuration] of flag.configurations)
    meanings.set(
      environment,
      dependsOnOthers(configuration)
        ? referringMeaning(configuration)
        : meaningOfConfiguration(sentConfiguration(configuration)),
    )
  const sent = sentFlag(flag)
  const { key, defaultValue } = flag
  return {
    path,
    blob,
    key,
    definition: meaningOf(
      hasParts(defaultValue) ? canonicalJson(sent as unknown as Json) : JSON.stringify(sent),
    ),
    defaultValue: meaningOf(canonicalJson(defaultValue)),
    configurations: meanings,
  }
}
