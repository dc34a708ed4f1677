import { compileEntries } from "../../sdk/evaluation/compile-entries.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import type { ProjectFiles } from "../project/files.ts"
import { type FlagAnswer, toFlagAnswer } from "./answer.ts"
import type { FlagSet } from "./flag-set.ts"
import type { GivenContext } from "./read-contexts.ts"
import { readWorkTree, type WorkTree } from "./read-work-tree.ts"

/** From when flags applied, and who changed them. */
export interface Moment {
  /** RFC 3339: the time of the commit, or of its publication; `undefined`: it is not committed. */
  readonly since: string | undefined
  readonly revision: string | undefined
  /** `undefined`: this clone lacks the commit. */
  readonly author: string | undefined
  readonly subject: string | undefined
  /** The address of the pull request that the subject names. */
  readonly request?: string | undefined
  /** Present if readers went back to the revision: who rolled back and why, if that is known. */
  readonly rollback?: { readonly by?: string; readonly reason?: string }
}

/** The flags of one environment from a moment on; `undefined`: there is no such environment. */
export interface FlagsSince {
  readonly moment: Moment
  /** "broken": they have mistakes, so nothing can be built. */
  readonly flags: FlagSet | "broken" | undefined
}

/** The flags of one environment over time. */
export interface FlagLine {
  readonly environment: string
  /** Oldest first. */
  readonly steps: readonly FlagsSince[]
  /** Why the beginning may be missing; `undefined`: it is there. */
  readonly cut: string | undefined
  /** The keys that a user may have meant. */
  readonly keys: readonly string[]
}

/** From when a context got a value. */
export interface ValueChange {
  readonly moment: Moment
  /** "broken": whatever came before stays; "absent": the flag does not exist. */
  readonly answer: FlagAnswer | "broken" | "absent"
}

/** A flag, a context, and the folder to which paths are relative. */
interface Question {
  readonly key: string
  readonly given: GivenContext
  readonly cwd: string
}

/**
 * The changes of the value that a context got from a flag, oldest first; none before the flag exists. A version with mistakes
 * changes nothing, and is listed only if the one before it has none.
 */
export async function valueHistory(
  steps: readonly FlagsSince[],
  question: Question,
): Promise<readonly ValueChange[]> {
  const changes: ValueChange[] = []
  let value: string | undefined
  let isBroken = false
  for (const { moment, flags } of steps) {
    const answer = flags === "broken" ? flags : await answerIn(flags, moment, question)
    const next = answer === "broken" ? value : nameOfValue(answer)
    if (next !== value || (answer === "broken" && !isBroken && changes.length > 0))
      changes.push({ moment, answer })
    value = next
    isBroken = answer === "broken"
  }
  return changes
}

async function answerIn(
  set: FlagSet | undefined,
  { revision }: Moment,
  { key, given, cwd }: Question,
): Promise<FlagAnswer | "absent"> {
  const flags = set?.document.flags.filter(({ flag }) => flag.key === key) ?? []
  if (set === undefined || flags.length === 0) return "absent"
  const from = revision === undefined ? set : { ...set, origin: { revision, words: revision } }
  const evaluator = await compileEntries(flags)
  return toFlagAnswer(key, given, { set: from, evaluator, isExplained: false, cwd })
}

/** Equal for equal values; `undefined`: there is no flag. */
function nameOfValue(answer: FlagAnswer | "absent"): string | undefined {
  if (answer === "absent") return undefined
  return answer.value === undefined ? answer.cause : canonicalJson(answer.value)
}

/** The flags in the files of a commit, by environment; `undefined`: there was no project. */
export async function flagsIn(files: ProjectFiles): Promise<WorkTree | "broken" | undefined> {
  const report = createReport()
  const tree = await readWorkTree(files, report)
  return report.hasErrors ? "broken" : tree
}
