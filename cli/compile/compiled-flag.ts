import { hash } from "node:crypto"
import type { Json } from "../../proxy/contract/snapshot.ts"
import { canonicalJson } from "./canonical-json.ts"
import type { Outline } from "./definition.ts"
import type { FlagFile } from "./read.ts"
import type { ResolvedFlag } from "./resolve.ts"

/**
 * What one version of a flag file means, as far as times need it: texts that are equal for equal meanings. The meaning
 * is what today's Flagstone and today's project file make of the version, so that a change of either moves no time.
 */
export interface Version {
  readonly key: string
  /** Of the definition's own members. */
  readonly definition: string
  /** By environment. */
  readonly configurations: ReadonlyMap<string, string>
}

/** A flag, ready to be put into snapshots, with nothing left of the tree that it was read from. */
export interface CompiledFlag extends FlagFile {
  readonly outline: Omit<Outline, "source">
  readonly version: Version
  /** The JSON of the flag, but for its times. */
  readonly flag: string
  /** By environment, the JSON of the configuration, but for its time. */
  readonly configurations: ReadonlyMap<string, string>
}

/** The JSON of a flag and of its configurations, and what they mean. */
export function writeFlag({ flag, configurations }: ResolvedFlag) {
  const texts = new Map<string, string>()
  const meanings = new Map<string, string>()
  // Only JSON values have members, whose order has no meaning; all else has one way to be written.
  const meaning = flag.type === "json" ? (part: Json) => digest(canonicalJson(part)) : undefined
  for (const [environment, configuration] of configurations) {
    const text = JSON.stringify(configuration)
    texts.set(environment, text)
    meanings.set(environment, meaning?.(configuration as unknown as Json) ?? digest(text))
  }
  const text = JSON.stringify(flag)
  const definition = meaning?.({ ...flag }) ?? digest(text)
  const version: Version = { key: flag.key, definition, configurations: meanings }
  return { flag: text, configurations: texts, version }
}

/** 132 bits of SHA-256. */
function digest(text: string): string {
  return hash("sha256", text, "base64").slice(0, 22)
}
