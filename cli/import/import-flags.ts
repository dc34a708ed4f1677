import type { Project } from "../compile/definition/project.ts"
import { flagKeyPattern } from "../compile/grammar/names.ts"
import { segmentNameOf } from "../compile/read/file-names.ts"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { type Draft, draftFiles, usedSegments } from "./draft.ts"
import { type Condition, type Imported, type ImportedFlag, isNever, type Remark } from "./form/form.ts"
import {
  collectLosses,
  isWritable,
  type Loss,
  type LossCode,
  type Verdict,
  verdictOf,
} from "./form/losses.ts"
import type { Tool } from "./form/tool.ts"
import { type Place, placeOf } from "./form/tree.ts"
import { type NamedSegment, nameSegments } from "./name-segments.ts"
import { createProof, type Tally } from "./prove.ts"

/** How faithful a flag is in one environment. */
export interface Result {
  readonly flag: string
  readonly environment: string
  readonly verdict: Verdict
  /** The verdict without the losses that the user accepts. */
  readonly open: Verdict
  readonly place: Place
  readonly losses: readonly Loss[]
}

/** What an import comes to. */
export interface Import {
  readonly results: readonly Result[]
  /** Flag and segment files of the flags that can be written. */
  readonly sources: readonly SourceFile[]
  readonly draft: Draft
  readonly remarks: readonly { readonly place: Place; readonly text: string }[]
  readonly tally: Tally
}

/** Stages: names, files in memory, lint, proof. Nothing is written to disk. */
export async function importFlags(
  read: Imported,
  tool: Tool,
  project: Project,
  accepted: readonly string[],
  now: number,
  onProgress: (done: number, all: number) => void,
): Promise<Import> {
  const { imported, segments } = nameSegments(read)
  const shadowed: Remark[] = []
  const flags = imported.flags
    .map(withNameChecked)
    .map(withoutPrerequisites)
    .map((flag) => withoutShadowed(flag, shadowed))
  const isOpen = (flag: ImportedFlag) =>
    flag.configurations.every(({ losses }) => isWritable(verdictOf(losses, accepted)))
  const draft = draftFiles(flags.filter(isOpen), segments, project, now)
  const tally: Tally = { contexts: 0, differing: 0, shares: 0 }
  const found = await prove(draft, tool, project, tally, onProgress)
  const results = flags.flatMap((flag) =>
    flag.configurations.map(({ environment, node, losses }): Result => {
      const all = [...losses, ...(found.get(nameOf(flag.key, environment)) ?? [])]
      return {
        flag: flag.key,
        environment,
        verdict: verdictOf(all),
        open: verdictOf(all, accepted),
        place: placeOf(node),
        losses: all,
      }
    }),
  )
  const remarks = [...imported.remarks, ...shadowed, ...draft.remarks].map(({ node, text }) => ({
    place: placeOf(node),
    text,
  }))
  return { results, sources: sourcesOf(results, draft, segments), draft, remarks, tally }
}

function withNameChecked(flag: ImportedFlag): ImportedFlag {
  if (flagKeyPattern.test(flag.key)) return flag
  const text =
    "a flag key has 1 to 200 letters, digits, `.`, `_`, `/` and `-`, and begins with a letter or digit"
  return {
    ...flag,
    configurations: flag.configurations.map((one) => ({
      ...one,
      losses: [...one.losses, { code: "import-name" as LossCode, text, place: placeOf(one.node) }],
    })),
  }
}

/** Behind a rule for everyone, no other counts. */
function withoutShadowed(flag: ImportedFlag, remarks: Remark[]): ImportedFlag {
  const configurations = flag.configurations.map((all) => {
    const one = { ...all, guards: all.guards.filter(({ when }) => !isNever(when)) }
    const at = one.guards.findIndex(({ when, gives }) => when.kind === "always" && gives.kind !== "split")
    const last = one.guards[at]
    if (last === undefined || last.gives.kind === "split") return one
    for (const { node, isImplied } of one.guards.slice(at + 1))
      if (isImplied !== true)
        remarks.push({
          node,
          text: `a rule of \`${flag.key}\` in ${one.environment} is left out: an earlier one is for everyone`,
        })
    return one.enabled
      ? { ...one, guards: one.guards.slice(0, at), otherwise: last.gives }
      : { ...one, guards: one.guards.slice(0, at + 1) }
  })
  return { ...flag, configurations }
}

/** What depends on another flag cannot be said yet. */
function withoutPrerequisites(flag: ImportedFlag): ImportedFlag {
  const configurations = flag.configurations.map((one) => {
    const asking = one.guards.find(({ when }) => asksFlag(when))
    if (asking === undefined) return one
    const loss = {
      code: "import-prerequisite" as const,
      text: "it depends on another flag",
      place: placeOf(asking.node),
    }
    return { ...one, losses: [...one.losses, loss] }
  })
  return { ...flag, configurations }
}

function asksFlag(condition: Condition): boolean {
  return condition.kind === "flag" || ("conditions" in condition && condition.conditions.some(asksFlag))
}

/** What lint has against the files, and what the proof finds, by flag and environment. */
async function prove(
  { flags }: Draft,
  tool: Tool,
  project: Project,
  tally: Tally,
  onProgress: (done: number, all: number) => void,
): Promise<ReadonlyMap<string, readonly Loss[]>> {
  const found = new Map<string, readonly Loss[]>()
  const all = flags.reduce((sum, { flag }) => sum + flag.configurations.length, 0)
  let done = 0
  for (const { name } of project.environments) {
    const proof = await createProof(
      flags.flatMap(({ entries }) => entries.get(name) ?? []),
      all,
      tool,
      tally,
    )
    for (const { flag, entries, errors } of flags)
      for (const one of flag.configurations.filter(({ environment }) => environment === name)) {
        const { losses, lose } = collectLosses()
        const entry = entries.get(name)
        for (const message of errors) lose("import-language", one.node, message)
        if (entry !== undefined && losses.length === 0) proof(flag, one, entry, lose)
        found.set(nameOf(flag.key, name), losses)
        if (++done % 100 === 0) {
          onProgress(done, all)
          await new Promise(setImmediate)
        }
      }
  }
  return found
}

function nameOf(key: string, environment: string): string {
  return JSON.stringify([key, environment])
}

/** The files of the flags that are faithful enough in all environments, and of the segments that they use. */
function sourcesOf(
  results: readonly Result[],
  { flags, segmentSources }: Draft,
  segments: readonly NamedSegment[],
): readonly SourceFile[] {
  const refused = new Set(results.filter(({ open }) => !isWritable(open)).map(({ flag }) => flag))
  const written = flags.filter(({ flag }) => !refused.has(flag.key))
  const names = new Set(
    usedSegments(
      written.map(({ flag }) => flag),
      segments,
    ).map(({ name }) => name),
  )
  const used = segmentSources.filter(({ path }) => names.has(segmentNameOf(path)))
  return [...used, ...written.map(({ source }) => source)]
}
