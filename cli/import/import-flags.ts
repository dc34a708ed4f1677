import type { FlagEntry } from "../../proxy/contract/snapshot.ts"
import type { Project } from "../compile/definition/project.ts"
import { segmentNameOf } from "../compile/read/file-names.ts"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { type Draft, draftFiles, usedSegments } from "./draft.ts"
import type { Configuration, Imported } from "./form/form.ts"
import { collectLosses, isWritable, type Loss, type Verdict, verdictOf } from "./form/losses.ts"
import type { Tool } from "./form/tool.ts"
import { type Place, placeOf } from "./form/tree.ts"
import { type NamedSegment, nameSegments } from "./name-segments.ts"
import { flagsAsked, isOpen, notImported, prepareFlags } from "./prepare.ts"
import { createProof, hasIdleRules, type Tally } from "./prove.ts"

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
  onProgress: (done: number, all: number) => void,
): Promise<Import> {
  const { imported, segments } = nameSegments(read)
  const remarks = [...imported.remarks]
  const flags = prepareFlags(imported.flags, accepted, remarks)
  const draft = draftFiles(
    flags.filter((flag) => isOpen(flag, accepted)),
    segments,
    project,
  )
  const tally: Tally = { contexts: 0, differing: 0, shares: 0 }
  const found = await prove(draft, tool, project, tally, onProgress)
  const refused = new Set<string>()
  const results = new Map(
    flags.map((flag) => {
      const own = flag.configurations.map((one): Result => {
        const { environment, node } = one
        const { losses, lose } = collectLosses([
          ...one.losses,
          ...(found.get(nameOf(flag.key, environment)) ?? []),
        ])
        for (const asked of flagsAsked(one))
          if (refused.has(asked.key)) lose("import-prerequisite", asked.node, notImported(asked.key))
        const verdicts = { verdict: verdictOf(losses), open: verdictOf(losses, accepted) }
        return { flag: flag.key, environment, ...verdicts, place: placeOf(node), losses }
      })
      if (own.some(({ open }) => !isWritable(open))) refused.add(flag.key)
      return [flag.key, own]
    }),
  )
  return {
    results: imported.flags.flatMap(({ key }) => results.get(key) ?? []),
    sources: sourcesOf(refused, draft, segments),
    draft,
    remarks: [...remarks, ...draft.remarks].map(({ node, text }) => ({ place: placeOf(node), text })),
    tally,
  }
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
  for (const { name } of project.environments) {
    const here = flags.flatMap(({ flag, entries, errors }) => {
      const one = flag.configurations.find(({ environment }) => environment === name)
      const entry = entries.get(name)
      return one === undefined ? [] : [{ flag, one, errors, entry: entry && asSwitchedOn(entry, one) }]
    })
    const proof = await createProof(
      here.flatMap(({ entry }) => entry ?? []),
      all,
      tool,
      tally,
    )
    for (const { flag, one, errors, entry } of here) {
      const { losses, lose } = collectLosses()
      for (const message of errors) lose("import-language", one.node, message)
      if (entry !== undefined && errors.length === 0) proof(flag, one, entry, lose)
      found.set(nameOf(flag.key, name), losses)
      if (found.size % 100 === 0) {
        onProgress(found.size, all)
        await new Promise(setImmediate)
      }
    }
  }
  return found
}

/** The rules of a flag that is switched off are proved, too. */
function asSwitchedOn(entry: FlagEntry, configuration: Configuration): FlagEntry {
  if (!hasIdleRules(configuration) || entry.environment === null) return entry
  return { ...entry, environment: { ...entry.environment, enabled: true } }
}

function nameOf(key: string, environment: string): string {
  return JSON.stringify([key, environment])
}

/** The files of the flags that are faithful enough in all environments, and of the segments that they use. */
function sourcesOf(
  refused: ReadonlySet<string>,
  { flags, segmentSources }: Draft,
  segments: readonly NamedSegment[],
): readonly SourceFile[] {
  const written = flags.filter(({ flag }) => !refused.has(flag.key))
  const used = usedSegments(
    written.map(({ flag }) => flag),
    segments,
  ).map(({ name }) => name)
  return [
    ...segmentSources.filter(({ path }) => used.includes(segmentNameOf(path))),
    ...written.map(({ source }) => source),
  ]
}
