import { hash } from "node:crypto"
import { join } from "node:path"
import { createReport } from "../../diagnostics/diagnostic.ts"
import { canonicalJson } from "../canonical-json.ts"
import { parseSource } from "../parse.ts"
import type { Project } from "../project.ts"
import { decodeSource } from "../read.ts"
import { type ResolvedFlag, resolveFlag } from "../resolve.ts"
import { toDefinition } from "../validate.ts"

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

export function versionOf({ flag, configurations }: Pick<ResolvedFlag, "flag" | "configurations">): Version {
  return {
    key: flag.key,
    definition: digest(canonicalJson({ ...flag })),
    configurations: new Map(
      [...configurations].map(([environment, configuration]) => {
        const rules = configuration.rules.map((rule) => ({ ...rule }))
        return [environment, digest(canonicalJson({ ...configuration, rules }))]
      }),
    ),
  }
}

/**
 * What an old version of a flag file means. It may break today's rules: what is of a wrong shape counts as absent.
 * `undefined` where it is no mapping that can be read at all.
 */
export function compileVersion(bytes: Uint8Array, path: string, project: Project): Version | undefined {
  const unheard = createReport()
  const source = decodeSource(join(project.folder, path), bytes, unheard)
  const [file] = source === undefined ? [] : parseSource(source, unheard)
  const definition = file && toDefinition(file)
  return definition && versionOf(resolveFlag(definition, project))
}

/** 132 bits of SHA-256. */
function digest(text: string): string {
  return hash("sha256", text, "base64").slice(0, 22)
}
