import { resolve } from "node:path"
import { findBaseUrl, sourceLinks } from "../catalog/model/source-links.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { chooseEnvironment } from "../evaluate/choose-environment.ts"
import { formatHistory, formatHistoryJson } from "../evaluate/format-history.ts"
import { type GivenContext, readContexts } from "../evaluate/read-contexts.ts"
import {
  type FlagLine,
  type FlagsSince,
  flagsIn,
  type ValueChange,
  valueHistory,
} from "../evaluate/value-history.ts"
import { Failure } from "../failure.ts"
import { findRepository } from "../history/repository.ts"
import type { ExitStatus, Host } from "../host.ts"
import { readFlagCommits } from "../project/flag-commits.ts"
import { readProjectFile } from "../reading/project.ts"
import { readPublications } from "./evaluate-published.ts"

/** The options of `evaluate` that `--history` reads. */
interface HistoryOptions {
  readonly flags: string
  readonly context: string
  readonly format: "text" | "json"
  readonly environment?: string
  readonly published?: string
}

/**
 * Prints each change of the value that a context got from a flag. Returns 1 if a value depends on an operator that only the
 * project's SDKs support. Throws `Failure` if there never was such a flag, or its history cannot be read.
 */
export async function printHistory(key: string, options: HistoryOptions, host: Host): Promise<ExitStatus> {
  const given = await readContext(options.context, host)
  const folder = resolve(host.cwd, options.flags)
  const base = await findBaseUrl(host.env, folder, host.git)
  const requestIn = (subject: string) => sourceLinks(base, "HEAD").requestIn(subject)
  const line =
    options.published === undefined
      ? await readCommits(key, options.environment, folder, requestIn, host)
      : await readPublications(options.published, options.environment, requestIn, host)
  const changes = await valueHistory(line.steps, { key, given, cwd: host.cwd })
  if (changes.length === 0 && line.steps.some(({ flags }) => flags === "broken") && line.keys.includes(key))
    throw new Failure(everyVersionHasMistakes(key))
  if (changes.length === 0)
    throw new Failure(
      `the history of ${line.environment} has no flag ${quoted(key)}${didYouMean(
        key,
        line.keys.filter((known) => known !== key),
      )}`,
    )
  const of = { key, environment: line.environment, cut: cutOf(line, changes) }
  host.stdout.write((options.format === "json" ? formatHistoryJson : formatHistory)(changes, of))
  const isUnknown = changes.some(
    ({ answer }) => typeof answer === "object" && answer.cause === "unknownOperator",
  )
  return isUnknown ? 1 : 0
}

/** Why changes may be missing before the first; `undefined`: the flag begins there. */
function cutOf({ steps, cut, environment }: FlagLine, [first]: readonly ValueChange[]): string | undefined {
  const before = steps.slice(
    0,
    steps.findIndex(({ moment }) => moment === first?.moment),
  )
  if (before.length === 0) return cut
  const readable = before.filter(({ flags }) => flags !== "broken")
  return readable.length > 0 && readable.at(-1)?.flags === undefined
    ? `the project had no environment ${quoted(environment)} before: ask about older commits with --at`
    : undefined
}

function everyVersionHasMistakes(key: string): string {
  return `every version of ${quoted(key)}, or of what it depends on, has mistakes`
}

async function readContext(text: string, host: Host): Promise<GivenContext> {
  const all: GivenContext[] = []
  for await (const given of readContexts(text, host)) all.push(given)
  const [only, ...others] = all
  if (only === undefined || others.length > 0) throw new Failure("--history is that of one context")
  return { ...only, line: undefined }
}

/** The commits that touched what a flag depends on. */
async function readCommits(
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
