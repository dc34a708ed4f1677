import { Failure } from "../../failure.ts"
import type { Git } from "../../git.ts"

/** The blobs of a path before and after a commit; `undefined`: no regular file is there. */
export interface Change {
  readonly before: string | undefined
  readonly after: string | undefined
}

/** A commit of the first-parent line and what it changed below a folder, against its first parent. */
export interface Commit {
  readonly id: string
  /** Its first parent; `undefined` for the first commit of all, and where a shallow clone ends. */
  readonly parent: string | undefined
  /** Committer date, seconds since 1970. */
  readonly at: number
  /** By path from the folder. */
  readonly changes: ReadonlyMap<string, Change>
}

// Every setting that could change this output is overruled here or in `git.ts`. Renames are not looked for: identity
// is the flag key, which is more than a likeness.
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
  "--encoding=UTF-8",
  "--ignore-submodules=all",
  "-O/dev/null",
  "--first-parent",
  "--diff-merges=first-parent",
  "--format=tformat:%H %ct %P",
]

/** The first-parent line up to a commit, oldest first: the commits that changed something below the folder. */
export async function walk(git: Git, top: string, tip: string, prefix: string): Promise<readonly Commit[]> {
  const commits = await readLog(git, top, prefix, lineOf(tip, prefix))
  return commits.filter(hasChanges).reverse()
}

/** The same, but only what came after a commit; `undefined` where that is not on the line (any more). */
export async function walkSince(
  git: Git,
  top: string,
  since: string,
  tip: string,
  prefix: string,
): Promise<readonly Commit[] | undefined> {
  if (since === tip) return []
  const { status, stdout } = await git([...rawLog, ...lineOf(`${since}..${tip}`, prefix)], { cwd: top })
  if (status !== 0) return undefined // the commit was pruned; whatever else is wrong, the whole walk will say
  const commits = parseLog(stdout.toString("utf8"), prefix).reverse()
  const isLine = commits.every(({ parent }, at) => parent === (commits[at - 1]?.id ?? since))
  return isLine && commits.at(-1)?.id === tip ? commits.filter(hasChanges) : undefined
}

/** `--sparse`: every commit, for to leave some out git would compare all trees twice. */
function lineOf(range: string, prefix: string): readonly string[] {
  return ["--sparse", range, "--", prefix === "" ? "." : prefix]
}

function hasChanges({ changes }: Commit): boolean {
  return changes.size > 0
}

/** The whole of some commits, whatever folder they changed. */
export function readCommits(git: Git, top: string, ids: readonly string[]): Promise<readonly Commit[]> {
  return readLog(git, top, "", ["--no-walk=unsorted", ...ids, "--"])
}

async function readLog(git: Git, top: string, prefix: string, args: readonly string[]): Promise<Commit[]> {
  const { status, stdout, stderr } = await git([...rawLog, ...args], { cwd: top })
  if (status !== 0) throw new Failure(`git cannot read the history in ${top}: ${stderr.trim()}`)
  return parseLog(stdout.toString("utf8"), prefix)
}

/**
 * Reads `git log -z --raw` (git-diff, "Raw output format"): `<id> <seconds> <parents>`, then for each change
 * `:<mode> <mode> <blob> <blob> <status>` and the path, every field ended by NUL.
 */
export function parseLog(text: string, prefix: string): Commit[] {
  const commits: Commit[] = []
  let changes = new Map<string, Change>()
  const fields = text.split("\0")
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? ""
    const change = changePattern.exec(field)
    if (change !== null) {
      const [, oldMode, newMode, before, after] = change
      const path = (fields[++at] ?? "").slice(prefix.length)
      changes.set(path, { before: regular(oldMode, before), after: regular(newMode, after) })
      continue
    }
    const [header, id = "", seconds, parent] = commitPattern.exec(field) ?? []
    if (header === undefined) continue
    changes = new Map()
    commits.push({ id, parent, at: Number(seconds), changes })
  }
  return commits
}

const changePattern = /^\n?:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) \w/
const commitPattern = /^\n?([0-9a-f]{40,}) (\d*)(?: ([0-9a-f]+))?/

/** Only regular files are flag files: no links (mode 120000), no submodules (160000), nothing at all (000000). */
function regular(mode: string | undefined, blob: string | undefined): string | undefined {
  return mode?.startsWith("100") ? blob : undefined
}

/** All that is there after the commits: the blob by path. `before`: what was there before them. */
export function filesAfter(
  commits: readonly Commit[],
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
