import { compileEntries } from "../../sdk/evaluation/compile-entries.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { type Phrase, phrase, plainPhrase } from "../diagnostics/phrase.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"
import { findRepository } from "../history/repository.ts"
import type { Host } from "../host.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import type { ProjectFiles } from "../project/files.ts"
import { readFlagCommits } from "../project/flag-commits.ts"
import { readProjectFile } from "../reading/project.ts"
import { type FlagAnswer, toFlagAnswer } from "./answer.ts"
import { chooseEnvironment } from "./choose-environment.ts"
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
  readonly answer: FlagAnswer | NoAnswer
}

/** Why there is no value: whatever came before stays, or the flag does not exist. */
interface NoAnswer extends Pick<FlagAnswer, "key" | "environment" | "revision" | "sentence"> {
  readonly cause: "broken" | "unknownFlag"
  readonly rule: null
}

/** A flag, a context, and the folder to which paths are relative. */
interface Question {
  readonly key: string
  readonly environment: string
  readonly given: GivenContext
  readonly cwd: string
  /** In milliseconds since the epoch. */
  readonly now: number
}

/**
 * The changes of the value that a context got from a flag, oldest first; none before the flag exists. A version with mistakes
 * changes nothing, and is listed only if the one before it has none. A context without a time has that of each change.
 */
export async function valueHistory(
  steps: readonly FlagsSince[],
  question: Question,
): Promise<readonly ValueChange[]> {
  const changes: ValueChange[] = []
  let value: string | undefined
  let isBroken = false
  for (const { moment, flags, given } of steps.flatMap((_, at) => inTime(steps, at, question))) {
    const answer = await answerIn(flags, moment, { ...question, given })
    const next = answer.cause === "broken" ? value : nameOfValue(answer)
    if (next !== value || (answer.cause === "broken" && !isBroken && changes.length > 0))
      changes.push({ moment, answer })
    value = next
    isBroken = answer.cause === "broken"
  }
  return changes
}

/** A step and what follows from the time alone until the next one, each with the context as readers then complete it. */
function inTime(
  steps: readonly FlagsSince[],
  at: number,
  { key, given, now }: Question,
): readonly (FlagsSince & Pick<Question, "given">)[] {
  const [step, next] = steps.slice(at, at + 2)
  if (step === undefined) return []
  const timed = typeof step.flags === "object" ? step.flags.timed : undefined
  if (timed === undefined || timed.clock in given.context) return [{ ...step, given }]
  const timeOf = ({ moment }: FlagsSince) => (moment.since === undefined ? now : Date.parse(moment.since))
  const end = next === undefined ? now + 1 : timeOf(next)
  const [begin = timeOf(step), ...moments] = timed.momentsOf(key, timeOf(step))
  return [begin, ...moments.filter((moment) => moment < end)].map((from, index) => {
    const since = new Date(from).toISOString()
    const context = { ...given.context, [timed.clock]: since }
    return {
      flags: step.flags,
      moment: index === 0 ? step.moment : { ...step.moment, since },
      given: { ...given, context },
    }
  })
}

async function answerIn(
  set: FlagsSince["flags"],
  { revision }: Moment,
  { key, environment, given, cwd, now }: Question,
): Promise<ValueChange["answer"]> {
  const none = (cause: NoAnswer["cause"], words: Phrase): NoAnswer => {
    return { key, environment, revision, cause, rule: null, sentence: plainPhrase(words) }
  }
  if (set === "broken")
    return none(
      set,
      phrase`${key}, or something that it may depend on, has mistakes, so nothing can be built and its value in ${environment} stays`,
    )
  const flags = set?.document.flags.filter(({ flag }) => flag.key === key) ?? []
  if (set === undefined || flags.length === 0)
    return none("unknownFlag", phrase`${key} does not exist in ${environment}`)
  const from = revision === undefined ? set : { ...set, origin: { revision, words: revision } }
  const evaluator = await compileEntries(flags)
  return toFlagAnswer(key, given, { set: from, evaluator, isExplained: false, cwd, now })
}

/** Equal for equal values; `undefined`: there is no flag. */
function nameOfValue(answer: ValueChange["answer"]): string | undefined {
  if (!("value" in answer)) return undefined
  return answer.value === undefined ? answer.cause : canonicalJson(answer.value)
}

/** The commits that touched what a flag depends on. Throws `Failure` if there are none, or none can be built. */
export async function readCommitLine(
  key: string,
  asked: string | undefined,
  folder: string,
  requestIn: (subject: string) => string | undefined,
  { git }: Host,
): Promise<FlagLine> {
  readProjectFile(folder, createReport()) // throws if there is none
  const repository = await findRepository(folder, git)
  if (repository.kind === "outside") throw new Failure(`there is no history: ${repository.reason}`)
  const { commits, keys } = await readFlagCommits(key, repository, folder)
  const versions = []
  for (const { commit, files } of commits) versions.push({ commit, tree: await flagsIn(files) })
  const newest = versions.findLast(({ tree }) => typeof tree === "object")?.tree
  if (typeof newest !== "object") throw new Failure(everyVersionHasMistakes(key))
  const environment = chooseEnvironment(
    asked,
    newest.project.environments.map(({ name }) => name),
  )
  const steps = versions.map(({ commit, tree }): FlagsSince => {
    const { id: revision, author, subject } = commit ?? {}
    const since = commit && new Date(commit.at).toISOString()
    const moment = { since, revision, author, subject, request: subject && requestIn(subject) }
    if (tree === undefined || tree === "broken") return { moment, flags: tree }
    const isThere = tree.project.environments.some(({ name }) => name === environment)
    return { moment, flags: isThere ? tree.flagSet(environment) : undefined }
  })
  const cut = "older changes are unknown: the clone is shallow (git fetch --unshallow)"
  return { environment, steps, cut: repository.shallow ? cut : undefined, keys }
}

/** What to say if no version of a flag can be built. */
export function everyVersionHasMistakes(key: string): string {
  return `every version of ${quoted(key)}, or of what it depends on, has mistakes`
}

/** The flags in the files of a commit, by environment; `undefined`: there was no project. */
async function flagsIn(files: ProjectFiles): Promise<WorkTree | "broken" | undefined> {
  const report = createReport()
  const tree = await readWorkTree(files, report)
  return report.hasErrors ? "broken" : tree
}
