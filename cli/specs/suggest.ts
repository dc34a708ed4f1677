import { basename, dirname, extname, join } from "node:path"
import type { Json } from "../../sdk/contract/snapshot.ts"
import { schemaFileName, specSchemaFileName } from "../reading/files/file-names.ts"
import { expectMembers } from "../reading/grammar/spec-schema.ts"
import type { Spec } from "./spec.ts"
import type { CoveredOutcome } from "./test-run.ts"

/** Cases to add to one spec file. */
export interface Suggestion {
  readonly path: string
  readonly flag: string
  /** The file's text; `undefined` if it does not exist yet. */
  readonly text: string | undefined
  /** The first line of a new file, which points editors at its schema as the flag's file does; `""`: none. */
  readonly schemaLine: string
  readonly cases: readonly SuggestedCase[]
}

/** A case as it is written. */
export interface SuggestedCase {
  readonly environment: string
  readonly context: Json
  readonly expect: Json
}

/**
 * A case for each outcome that none reaches and for which a context is known, in the flag's first spec file or a new one
 * next to the flag. `isTaken` returns whether a path has a file.
 */
export function suggestCases(
  outcomes: readonly CoveredOutcome[],
  specs: readonly Spec[],
  isTaken: (path: string) => boolean,
): readonly Suggestion[] {
  const missing = outcomes.filter(({ hits, witness }) => hits === 0 && witness !== undefined)
  return [...Map.groupBy(missing, ({ flag }) => flag)].flatMap(([flag, own]) => {
    const [first] = own
    if (first === undefined) return []
    const spec = specs.find((one) => one.flag === flag)
    const path = spec?.source.path ?? newSpecPath(first.location.source.path, isTaken)
    const cases = own.map(({ environment, witness, value }) => ({
      environment,
      context: witness as Json,
      expect: isAmbiguous(value) ? { value } : value,
    }))
    const schemaLine = specLine(first.location.source.text)
    return [{ path, flag, text: spec?.source.text, schemaLine, cases }]
  })
}

/** The line that points editors at the schema of specs, if that of a flag file beside it points at the schema of flags. */
function specLine(flagText: string): string {
  const [line = ""] = /^# yaml-language-server: \$schema=\S*\n/.exec(flagText) ?? []
  return line.endsWith(`/${schemaFileName}\n`) ? line.replace(schemaFileName, specSchemaFileName) : ""
}

/** A file with the flag's name is taken if it is the spec of another flag. */
function newSpecPath(flagFile: string, isTaken: (path: string) => boolean): string {
  const stem = join(dirname(flagFile), basename(flagFile, extname(flagFile)))
  let path = `${stem}.spec.yaml`
  for (let number = 2; isTaken(path); number++) path = `${stem}-${number}.spec.yaml`
  return path
}

/** Whether a value would be read as the long form of `expect`. */
function isAmbiguous(value: Json): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  const names = Object.keys(value)
  const members: readonly string[] = expectMembers
  return names.length > 0 && names.every((name) => members.includes(name))
}
