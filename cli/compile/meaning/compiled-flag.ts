import { hash } from "node:crypto"
import type { Configuration, Json } from "../../../proxy/contract/snapshot.ts"
import type { Definition, Outline } from "../definition/definition.ts"
import type { FlagFile } from "../definition/flag-file.ts"
import { keyOfFile } from "../definition/read.ts"
import { canonicalJson } from "./canonical-json.ts"
import { configurationText, hasParts, type OpenConfiguration, openText, segmentsIn } from "./configuration.ts"
import type { OpenCondition } from "./open-condition.ts"
import type { ResolvedFlag } from "./resolve.ts"

/**
 * What one version of a flag file means, as far as times need it. The meaning is what today's Flagstone makes of it with
 * today's project file, so a change of either one moves no time.
 */
export interface Version {
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

/** JSON that is equal for equal meanings; or its digest, which is shorter. */
export type Meaning = string

/** Whether two sections mean the same, in whichever form each is. `undefined` is no section, and equals none. */
export function isSameMeaning(before: Meaning | undefined, after: Meaning): boolean {
  if (before === after) return true
  if (before === undefined || (isJson(before) && isJson(after))) return false
  return toDigest(before) === toDigest(after)
}

/** A digest is base64, which has no brace. */
function isJson(meaning: Meaning): boolean {
  return meaning.startsWith("{")
}

/** 132 bits of SHA-256 in base64. */
export function toDigest(meaning: Meaning): Meaning {
  return isJson(meaning) ? hash("sha256", meaning, "base64").slice(0, 22) : meaning
}

/** A flag as the snapshots need it, without the tree that it was read from. */
export interface CompiledFlag extends FlagFile {
  readonly outline: Omit<Outline, "source">
  readonly version: Version
  /** The JSON of the flag, without its times. */
  readonly flag: string
  /** The JSON of each configuration, without its time, by environment. */
  readonly configurations: ReadonlyMap<string, string>
}

/** The flag that a file says. Member by member: V8 takes two to three times as long to spread two objects, and files are many. */
export function flagOfFile(
  { source, blob }: FlagFile,
  { outline, version, flag, configurations }: WrittenFlag,
): CompiledFlag {
  return { source, blob, outline, version, flag, configurations }
}

/** What a flag file says, whichever file that is. */
export type WrittenFlag = Omit<CompiledFlag, keyof FlagFile>

/** What a flag file means depends on its text and, where that sets no key, on the file's name. */
export function identityOf(blob: string, path: string): string {
  return `${blob} ${keyOfFile(path)}`
}

/** The JSON of a flag and of its configurations, and what they mean. */
export function writeFlag({ definition, flag, configurations, open }: ResolvedFlag): WrittenFlag {
  const text = JSON.stringify(flag)
  const texts = new Map<string, string>()
  /** The same but for those whose meaning is another text: there are few. */
  let meanings: Map<string, Meaning> | undefined
  configurations.forEach((configuration, environment) => {
    const text = JSON.stringify(configuration)
    texts.set(environment, text)
    const meaning = meaningOf(configuration, open?.get(environment)) ?? text
    if (meaning !== text) meanings ??= new Map(texts)
    meanings?.set(environment, meaning)
  })
  const version: Version = {
    key: flag.key,
    definition: hasParts(flag.defaultValue) ? canonicalJson(flag as unknown as Json) : text,
    configurations: meanings ?? texts,
    ...(open === undefined ? {} : { uses: usesOf(open) }),
  }
  return { outline: outlineOf(definition), version, flag: text, configurations: texts }
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

/** What one version of a segment file says, as far as times need it. */
export interface SegmentVersion {
  readonly name: string
  readonly condition: OpenCondition
}

/** What the project checks need. */
export function outlineOfFlag({ source, outline }: CompiledFlag): Outline {
  return { source, ...outline }
}

function outlineOf({ key, keySpan, id, configurations }: Definition): CompiledFlag["outline"] {
  return {
    key,
    keySpan,
    id,
    configurations: configurations.map(({ environment, id }) => ({ environment, id })),
  }
}

function usesOf(open: NonNullable<ResolvedFlag["open"]>): NonNullable<Version["uses"]> {
  return new Map(
    [...open].map(([environment, configuration]) => [environment, [...segmentsIn(configuration)]]),
  )
}
