import type { Definition, Outline } from "../definition/definition.ts"
import type { FlagFile } from "../read/flag-file.ts"
import { type FileFacts, factsOf } from "./file-facts.ts"
import { type FlagTexts, type FlagVersion, versionOfFlag } from "./flag-version.ts"
import type { ResolvedFlag } from "./resolve.ts"

/** A flag as snapshots and readers need it, without the tree that it was read from. */
export interface CompiledFlag extends FlagFile, FlagTexts {
  readonly outline: Omit<Outline, "source">
  readonly version: FlagVersion
  readonly facts: FileFacts
}

/** The JSON of a flag and its configurations, their meanings, and the facts for readers. */
export function writeFlag({ source, blob }: FlagFile, resolved: ResolvedFlag): CompiledFlag {
  const texts = textsOf(resolved)
  return {
    source,
    blob,
    outline: outlineOf(resolved.definition),
    version: versionOfFlag(resolved, texts),
    flag: texts.flag,
    configurations: texts.configurations,
    facts: factsOf(resolved.definition),
  }
}

/** Only the version that `writeFlag` gives, because the history has many more versions than there are files. */
export function versionOnly(resolved: ResolvedFlag): FlagVersion {
  return versionOfFlag(resolved, textsOf(resolved))
}

function textsOf(resolved: ResolvedFlag): FlagTexts {
  const configurations = new Map<string, string>()
  resolved.configurations.forEach((configuration, environment) => {
    configurations.set(environment, JSON.stringify(configuration))
  })
  return { flag: JSON.stringify(resolved.flag), configurations }
}

/** The part that the project checks need. */
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
