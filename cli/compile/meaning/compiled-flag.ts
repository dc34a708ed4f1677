import { hash } from "node:crypto"
import type { Json } from "../../../proxy/contract/snapshot.ts"
import type { Outline } from "../definition/definition.ts"
import type { FlagFile } from "../definition/read.ts"
import { canonicalJson } from "./canonical-json.ts"
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
  const text = JSON.stringify(flag)
  const texts = new Map<string, string>()
  const canonical = new Map<string, Meaning>()
  for (const [environment, configuration] of configurations) {
    texts.set(environment, JSON.stringify(configuration))
    if (configuration.rules.some(({ returnValue }) => hasParts(returnValue)))
      canonical.set(environment, canonicalText(configuration))
  }
  const version: Version = {
    key: flag.key,
    definition: hasParts(flag.defaultValue) ? canonicalText(flag) : text,
    configurations: canonical.size === 0 ? texts : new Map([...texts, ...canonical]),
  }
  return { flag: text, configurations: texts, version }
}

/** Only members have an order without a meaning; all else has one way to be written. */
function hasParts(value: Json): boolean {
  return typeof value === "object" && value !== null
}

function canonicalText(part: object): Meaning {
  return canonicalJson(part as Json)
}
