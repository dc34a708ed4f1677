import { compareText, type Report, type SourceFile } from "../diagnostics/diagnostic.ts"
import { linksOf } from "../flag/file-facts.ts"
import { timelessEntry } from "../flag/sent-flag.ts"
import { momentsIn, rampsIn } from "../flag/times.ts"
import type { Condition } from "../language/condition.ts"
import { type Flag, type Invariant, numberOf, type Segment } from "../language/flag.ts"
import type { ProjectFiles } from "../project/files.ts"
import { type Opened, openProject } from "../project/open-project.ts"
import type { Project } from "../reading/project.ts"
import { chooseEnvironment } from "./choose-environment.ts"
import type { FlagSet, Timed } from "./flag-set.ts"

/** The flags of the work tree, committed or not, or of a commit. */
export interface WorkTree {
  readonly project: Project
  /** By key. */
  readonly flags: ReadonlyMap<string, Flag>
  /** By name. */
  readonly segments: ReadonlyMap<string, Segment>
  readonly invariants: readonly Invariant[]
  /** The flags of one of the project's environments, sorted by key. */
  readonly flagSet: (environment: string) => FlagSet
}

/**
 * Reads the flags of a folder as it is, or of other files. Needs no git and writes nothing, because times, which only git knows, do
 * not affect evaluation. Flags with errors are reported. `undefined` if the project file has mistakes; throws
 * `Failure` if there is no project.
 */
export async function readWorkTree(files: ProjectFiles, report: Report): Promise<WorkTree | undefined> {
  const { project, ...opened } = await openProject(files, report)
  return project && toWorkTree({ project, ...opened })
}

function toWorkTree({ project, flags, defined, invariants }: Opened): WorkTree {
  const sorted = flags.toSorted((a, b) => compareText(a.key, b.key))
  const byKey = new Map(flags.map((flag) => [flag.key, flag]))
  const segments = new Map(defined.map((segment) => [segment.name, segment]))
  const flagSet = (environment: string): FlagSet => {
    const ruleAt = (key: string, rule: number) => byKey.get(key)?.configurations.get(environment)?.rules[rule]
    const find = (key: string, rule: number, inner: readonly number[] = []) => {
      const flag = byKey.get(key)
      const condition = ruleAt(key, rule)?.condition
      return flag && condition && conditionAt({ source: flag.source, condition }, inner, segments)
    }
    return {
      document: {
        flags: sorted.map((flag) => timelessEntry(flag, environment)),
      },
      environment,
      attributes: project.attributes,
      locate(...path) {
        const found = find(...path)
        const span = found?.condition.at?.node
        return found && span && { source: found.source, span }
      },
      numberOf(key, rule) {
        const found = ruleAt(key, rule)
        return found && numberOf(found)
      },
      ...(project.clock !== undefined && { timed: timedFlags(project.clock, environment, byKey) }),
      linksOf(key) {
        const flag = byKey.get(key)
        return flag === undefined ? [] : linksOf(flag.root)
      },
      askedAt(...path) {
        const condition = find(...path)?.condition
        if (condition?.kind !== "flag") return undefined
        const { key, is } = condition
        const { type = "boolean" } = byKey.get(key) ?? {}
        return { key, gives: is, isBoolean: type === "boolean" }
      },
    }
  }
  return { project, flags: byKey, segments, invariants, flagSet }
}

function timedFlags(clock: string, environment: string, flags: ReadonlyMap<string, Flag>): Timed {
  const flagsWith = (key: string) => [flags.get(key) ?? []].flat()
  return {
    clock,
    momentsOf: (key, now) => momentsIn(flagsWith(key), environment, { attribute: clock, now }),
    rampsOf: (key) => flagsWith(key).flatMap((flag) => rampsIn(flag, environment)),
  }
}

/**
 * The same for one environment of any files. The environment may be omitted if there is only one. Throws `Failure` if it does
 * not exist.
 */
export async function readEnvironment(
  files: ProjectFiles,
  environment: string | undefined,
  report: Report,
): Promise<FlagSet | undefined> {
  const tree = await readWorkTree(files, report)
  if (tree === undefined) return undefined
  return tree.flagSet(
    chooseEnvironment(
      environment,
      tree.project.environments.map(({ name }) => name),
    ),
  )
}

/** A condition, and the file that it is in. */
interface InFile {
  readonly source: SourceFile
  readonly condition: Condition
}

/**
 * The condition at a path of positions in the lists of groups. A segment has no list of its own: its conditions are in its
 * file. `undefined` if there is none.
 */
function conditionAt(
  whole: InFile,
  path: readonly number[],
  segments: ReadonlyMap<string, Segment>,
): InFile | undefined {
  let at: InFile | undefined = whole
  for (const position of path) {
    at = groupOf(at, segments)
    if (at === undefined || !("parts" in at.condition)) return undefined
    const condition: Condition | undefined = at.condition.parts[position]
    at = condition && { source: at.source, condition }
  }
  return at
}

function groupOf(at: InFile | undefined, segments: ReadonlyMap<string, Segment>): InFile | undefined {
  let inner = at
  // This ends, because segments without mistakes have no cycles.
  while (inner?.condition.kind === "segment") inner = segments.get(inner.condition.name)
  return inner
}
