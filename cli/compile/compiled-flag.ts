import { hash } from "node:crypto"
import type { Json } from "../../proxy/contract/snapshot.ts"
import { canonicalJson } from "./canonical-json.ts"
import type { Outline } from "./definition.ts"
import type { FlagFile } from "./read.ts"
import type { ResolvedFlag } from "./resolve.ts"

/**
 * What one version of a flag file means, as far as times need it. The meaning is what today's Flagstone and today's
 * project file make of the version, so that a change of either moves no time.
 */
export interface Version {
  readonly key: string
  /** Of the definition's own members. */
  readonly definition: Meaning
  /** By environment. */
  readonly configurations: ReadonlyMap<string, Meaning>
}

/** JSON that is the same for the same meaning; or the digest of that, which is shorter to keep. */
export type Meaning = string

/** Whether two sections mean the same, however each is kept. `undefined`, where there is no section, is like no other. */
export function isSameMeaning(one: Meaning | undefined, other: Meaning): boolean {
  return one === other || (one !== undefined && toDigest(one) === toDigest(other))
}

/** 132 bits of SHA-256 in base64, which begins unlike JSON. */
export function toDigest(meaning: Meaning): Meaning {
  return meaning.startsWith("{") ? hash("sha256", meaning, "base64").slice(0, 22) : meaning
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
  // Only JSON values have members, whose order has no meaning; all else has one way to be written.
  const meaningOf = flag.type === "json" ? canonicalMeaning : (_part: object, text: string) => text
  const texts = new Map<string, string>()
  const meanings = new Map<string, Meaning>()
  for (const [environment, configuration] of configurations) {
    const text = JSON.stringify(configuration)
    texts.set(environment, text)
    meanings.set(environment, meaningOf(configuration, text))
  }
  const text = JSON.stringify(flag)
  const version: Version = { key: flag.key, definition: meaningOf(flag, text), configurations: meanings }
  return { flag: text, configurations: texts, version }
}

function canonicalMeaning(part: object): Meaning {
  return canonicalJson(part as Json)
}
