import { Failure } from "../failure.ts"
import type { Inside } from "./repository.ts"
import { commitTime } from "./time-text.ts"

/** The blobs of a path before and after a commit; `undefined`: not a regular file. */
export interface FileChange {
  readonly before: string | undefined
  readonly after: string | undefined
}

/** What git records about a commit. */
export interface CommitFacts {
  readonly id: string
  /** Committer date, in milliseconds since 1970. */
  readonly at: number
  /** The author's name, as git records it. */
  readonly author: string
  /** The first line of its message. */
  readonly subject: string
}

/** A commit on the first-parent line, and its changes in a folder relative to its first parent. */
export interface Commit extends CommitFacts {
  /** Its first parent; `undefined` for the very first commit, and where a shallow clone ends. */
  readonly parent: string | undefined
  /** By path relative to the folder. */
  readonly changes: ReadonlyMap<string, FileChange>
}

// Every setting that could change this output is overridden here or in `git.ts`. Renames are not detected: a flag is
// identified by its key, not by similar contents.
const rawLog = [
  "log",
  "-z",
  "--raw",
  "--no-abbrev",
  "--no-renames",
  "--no-relative",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--no-notes",
  "--no-mailmap",
  "--ignore-submodules=all",
  "-O/dev/null",
  "--first-parent",
  "--diff-merges=first-parent",
  "--format=tformat:%H %ct %P%x09%an%x00%s",
]

/** The commits on the first-parent line up to `tip` that changed something in a folder, oldest first. */
export async function walk(repository: Inside, tip: string, prefix: string): Promise<readonly Commit[]> {
  const commits = await readLog(repository, prefix, rangeBelow(tip, prefix))
  return commits.filter(hasChanges).reverse()
}

/** The flags folder's commits after a commit; `undefined` if that commit is not, or is no longer, on the line. */
export async function walkSince(
  { git, top, revision: tip, prefix }: Inside,
  since: string,
): Promise<readonly Commit[] | undefined> {
  if (since === tip) return []
  const { status, stdout } = await git([...rawLog, ...rangeBelow(`${since}..${tip}`, prefix)], { cwd: top })
  if (status !== 0) return undefined // the commit was pruned; the full walk will report anything else
  const commits = parseLog(stdout.toString("utf8"), prefix).reverse()
  const isLine = commits.every(({ parent }, at) => parent === (commits[at - 1]?.id ?? since))
  return isLine && commits.at(-1)?.id === tip ? commits.filter(hasChanges) : undefined
}

/** `--sparse` lists every commit: to skip unchanged ones, git would compare each tree twice. */
function rangeBelow(range: string, prefix: string): readonly string[] {
  return ["--sparse", range, "--", prefix === "" ? "." : prefix]
}

function hasChanges({ changes }: Commit): boolean {
  return changes.size > 0
}

/** Some commits with all their changes, in any folder. */
export function readCommits(repository: Inside, ids: readonly string[]): Promise<readonly Commit[]> {
  return readLog(repository, "", ["--no-walk=unsorted", ...ids, "--"])
}

async function readLog({ git, top }: Inside, prefix: string, args: readonly string[]): Promise<Commit[]> {
  const { status, stdout, stderr } = await git([...rawLog, ...args], { cwd: top })
  if (status !== 0) throw new Failure(`git cannot read the history in ${top}: ${stderr.trim()}`)
  return parseLog(stdout.toString("utf8"), prefix)
}

/**
 * Parses `git log -z --raw` (git-diff, "Raw output format"): `<id> <seconds> <parents><tab><author>` and the subject, then
 * for each change `:<mode> <mode> <blob> <blob> <status>` and the path. Each field ends with NUL.
 */
function parseLog(text: string, prefix: string): Commit[] {
  const commits: Commit[] = []
  let changes = new Map<string, FileChange>()
  for (let at = 0; at < text.length; ) {
    if (text[at] === "\n") at++ // before the first change of a commit
    const end = endOfField(text, at)
    if (text[at] === ":") {
      const pathEnd = endOfField(text, end + 1)
      changes.set(text.slice(end + 1 + prefix.length, pathEnd), readChange(text.slice(at, end)))
      at = pathEnd + 1
      continue
    }
    const field = text.slice(at, end)
    const [header, id = "", seconds, parent] = commitPattern.exec(field) ?? []
    at = end + 1
    if (header === undefined) continue
    changes = new Map()
    const author = field.slice(field.indexOf("\t") + 1)
    const subjectEnd = endOfField(text, at)
    const subject = text.slice(at, subjectEnd)
    at = subjectEnd + 1
    commits.push({ id, parent, at: commitTime(seconds), author, subject, changes })
  }
  return commits
}

const commitPattern = /^([0-9a-f]{40,}) (\d*)(?: ([0-9a-f]+))?/

function endOfField(text: string, start: number): number {
  const end = text.indexOf("\0", start)
  return end === -1 ? text.length : end
}

/** `:<mode> <mode> <blob> <blob> <status>`. */
function readChange(field: string): FileChange {
  const [oldMode = "", newMode = "", before, after] = field.slice(1).split(" ")
  return {
    before: isRegular(oldMode) ? before : undefined,
    after: isRegular(newMode) ? after : undefined,
  }
}

/** Only regular files are flag files, not links (mode 120000) or submodules (160000); 000000 means no file. */
function isRegular(mode: string): boolean {
  return mode.startsWith("100")
}

/** Every file after the commits, as blobs by path. `before`: the files before them. */
export function filesAfter(
  commits: readonly Pick<Commit, "changes">[],
  before: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const files = new Map(before)
  for (const { changes } of commits) {
    for (const [path, { after }] of changes) {
      if (after === undefined) files.delete(path)
      else files.set(path, after)
    }
  }
  return files
}
