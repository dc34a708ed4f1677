import type { PreparedSnapshot } from "../prepare/prepared-snapshot.ts"
import { type ChangeCount, countDifferences } from "../reload/count-differences.ts"
import type { LoadedProject } from "./loaded-project.ts"

/** The log line's members about a loaded project: revisions by environment, and what changed, if anything. */
export interface ProjectChanges {
  readonly project: string
  readonly revisions: Readonly<Record<string, string | null>>
  /** What changed, by the name of each environment whose document changed. */
  readonly flags: Readonly<Record<string, ChangeCount>>
}

/** Compares entries byte by byte, about 5 ms for 10,000 flags; documents with the same digest cost nothing. */
export function describeChanges(
  { name, environments }: LoadedProject,
  before: LoadedProject | undefined,
): ProjectChanges {
  const flags: Record<string, ChangeCount> = {}
  for (const [environment, { snapshot }] of environments) {
    const old = before?.environments.get(environment)?.snapshot
    if (old?.sha256 !== snapshot.sha256) flags[environment] = countChanges(old, snapshot)
  }
  for (const [environment, { snapshot }] of before?.environments ?? [])
    if (!environments.has(environment)) flags[environment] = countChanges(snapshot, undefined)
  const revisions = Object.fromEntries(
    [...environments].map(([environment, { revision }]) => [environment, revision]),
  )
  return { project: name, revisions, flags }
}

function countChanges(
  before: PreparedSnapshot | undefined,
  after: PreparedSnapshot | undefined,
): ChangeCount {
  const isSame = (one: Buffer, other: Buffer) => one.equals(other)
  return countDifferences(entriesOf(before), entriesOf(after), isSame)
}

function entriesOf(snapshot: PreparedSnapshot | undefined): ReadonlyMap<string, Buffer> {
  const entries = new Map<string, Buffer>()
  if (snapshot === undefined) return entries
  let position = 0
  for (const entry of snapshot.entries()) entries.set(snapshot.keys[position++] ?? "", entry)
  return entries
}
