import { basename, dirname, extname, join } from "node:path"
import type { Json } from "../../sdk/contract/snapshot.ts"
import { printedPath } from "../diagnostics/workflow-commands.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import { expectMembers } from "../reading/grammar/spec-schema.ts"
import type { Spec } from "./spec.ts"
import type { CoveredOutcome } from "./test-run.ts"

/**
 * A case for each outcome that none reaches and for which a context is known, as specs: one for each flag, below the path of
 * its first spec or, if it has none, of one beside the flag.
 */
export function suggestCases(
  outcomes: readonly CoveredOutcome[],
  specs: readonly Spec[],
  folder: string,
): string {
  const missing = outcomes.filter(({ hits, witness }) => hits === 0 && witness !== undefined)
  return [...Map.groupBy(missing, ({ flag }) => flag)]
    .map(([flag, own]) => {
      const path = specs.find((spec) => spec.flag === flag)?.source.path ?? own.map(specBeside)[0] ?? ""
      return `# ${printedPath(path, folder)}\nflag: ${yamlLine(flag)}\ncases:\n${own.map(caseLine).join("")}`
    })
    .join("")
}

function specBeside({ location }: CoveredOutcome): string {
  const { path } = location.source
  return join(dirname(path), `${basename(path, extname(path))}.spec.yaml`)
}

function caseLine({ environment, witness, value }: CoveredOutcome): string {
  const expect = isAmbiguous(value) ? { value } : value
  return `  - ${yamlLine({ environment, context: witness as Json, expect })}\n`
}

/** Whether a value would be read as the long form of `expect`. */
function isAmbiguous(value: Json): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  const names = Object.keys(value)
  const members: readonly string[] = expectMembers
  return names.length > 0 && names.every((name) => members.includes(name))
}
