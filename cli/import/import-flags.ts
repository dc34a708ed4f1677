import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { phrase, sentence } from "../diagnostics/phrase.ts"
import { type Destination, type DraftedFlag, draftFlags, type PlacedError, usedSegments } from "./draft.ts"
import { exposedIn } from "./exposed.ts"
import type { Configuration, Imported, ImportedFlag, Remark } from "./form/form.ts"
import { collectLosses, isWritable, type Loss, lossAt, type Verdict, verdictOf } from "./form/losses.ts"
import type { Tool } from "./form/tool.ts"
import type { Node } from "./form/tree.ts"
import { nameSegments } from "./name-segments.ts"
import { flagsAsked, isOpen, notImported, prepareFlags, writtenLosses } from "./prepare.ts"
import { createProof, type Prove } from "./prove.ts"
import type { Tally } from "./sides.ts"

/** How faithful a flag is in one environment. */
export interface Result {
  readonly flag: string
  readonly environment: string
  readonly verdict: Verdict
  /** The verdict without the losses that the user accepts. */
  readonly open: Verdict
  readonly node: Node
  readonly losses: readonly Loss[]
}

/** Something odd in the source that loses nothing, at its place. */
export interface PlacedRemark extends Loss, Omit<Remark, "node"> {}

/** The result of an import. */
export interface Import {
  readonly results: readonly Result[]
  /** Flag and segment files of the flags that can be written. */
  readonly sources: readonly SourceFile[]
  readonly remarks: readonly PlacedRemark[]
  readonly tally: Tally
}

/** How many flags to check and prove before reporting progress and yielding to the event loop. */
const atOnce = 100

/** Stages: names, files in memory, lint, proof. Nothing is written to disk. */
export async function importFlags(
  read: Imported,
  tool: Tool,
  destination: Destination,
  accepted: readonly string[],
  onProgress: (done: number, all: number) => void,
): Promise<Import> {
  const { imported, segments } = nameSegments(read)
  const remarks = [...imported.remarks]
  const flags = prepareFlags(imported.flags, accepted, remarks)
  const open = flags.filter((flag) => isOpen(flag, accepted))
  const { flags: drafts, segments: files } = await draftFlags(open, segments, destination, remarks)
  const tally: Tally = { contexts: 0, differing: 0, withShares: 0, sharesCompared: 0 }
  const prove = createProof(
    {
      tool,
      declared: destination.attributes,
      configurations: open.flatMap((one) => one.configurations).length,
    },
    tally,
  )
  const written: Pick<DraftedFlag, "flag" | "source">[] = []
  /** By flag: the losses of each configuration. */
  const found = new Map<string, readonly (readonly Loss[])[]>()
  for (const drafted of drafts) {
    const { flag, source, errors } = drafted
    written.push({ flag, source })
    const losses = flag.configurations.map((one, index) =>
      lossesIn(one, errors[index] ?? [], drafted, prove, remarks),
    )
    found.set(flag.key, losses)
    if (written.length % atOnce > 0 && written.length < open.length) continue
    onProgress(written.length, open.length)
    await new Promise(setImmediate)
  }
  const refused = new Set<string>()
  const results = new Map(
    flags.map((flag) => {
      const own = flag.configurations.map((one, index): Result => {
        const { environment, node } = one
        const { losses, addLoss } = collectLosses(found.get(flag.key)?.[index] ?? one.losses)
        for (const asked of flagsAsked(one))
          if (refused.has(asked.key)) addLoss("import-prerequisite", asked.node, notImported(asked.key))
        const verdicts = { verdict: verdictOf(losses), open: verdictOf(losses, accepted) }
        return { flag: flag.key, environment, ...verdicts, node, losses }
      })
      if (own.some(({ open }) => !isWritable(open))) refused.add(flag.key)
      return [flag.key, own]
    }),
  )
  const faithful = written.filter(({ flag }) => !refused.has(flag.key))
  const usedBy = (flags: readonly ImportedFlag[]) => {
    const used = usedSegments(flags, segments).map(({ name }) => name)
    return files.flatMap(({ name, source }) => (used.includes(name) ? source : []))
  }
  remarks.push(...remarksOnExposed(faithful, (flag) => usedBy([flag])))
  return {
    results: imported.flags.flatMap(({ key }) => results.get(key) ?? []),
    sources: [...usedBy(faithful.map(({ flag }) => flag)), ...faithful.map(({ source }) => source)],
    remarks: remarks.map(placedRemark),
    tally,
  }
}

/** What each flag's files expose, the files of segments only for the first flag that uses them. */
function remarksOnExposed(
  written: readonly Pick<DraftedFlag, "flag" | "source">[],
  segmentsOf: (flag: ImportedFlag) => readonly SourceFile[],
): readonly Remark[] {
  const searched = new Set<SourceFile>()
  return written.flatMap(({ flag, source }) => {
    const files = [source, ...segmentsOf(flag)].filter((file) => !searched.has(file))
    for (const file of files) searched.add(file)
    const [first] = flag.configurations
    return first === undefined
      ? []
      : exposedIn(files).map((exposed) => ({ node: first.node, flag: flag.key, ...exposed }))
  })
}

function placedRemark({ node, ...remark }: Remark): PlacedRemark {
  const { text, detail } = remark
  const what = detail === undefined ? [text] : phrase`${[text]}: ${detail}`
  return { ...remark, ...lossAt("import-remark", node, what) }
}

/** The losses of the rules that are written, and the errors of lint, or else what the proof finds. */
function lossesIn(
  one: Configuration,
  errors: readonly PlacedError[],
  { flag, resolved }: DraftedFlag,
  prove: Prove,
  remarks: Remark[],
): readonly Loss[] {
  const { losses, addLoss } = collectLosses(writtenLosses(one))
  for (const { message, node } of errors) addLoss("import-language", node, sentence(message))
  const { environment } = one
  if (resolved !== undefined && errors.length === 0)
    prove(one, resolved, {
      addLoss,
      addRemark: (remark) => remarks.push({ ...remark, flag: flag.key, environment }),
    })
  return losses
}
