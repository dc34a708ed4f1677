import type { Host } from "../host.ts"

/** A commit's author and subject. */
export interface Commit {
  readonly author: string
  readonly subject: string
}

/**
 * The commits of revisions that this clone has, by revision. They are not stored at the target, because strangers may
 * be able to read it.
 */
export async function readCommits(
  revisions: readonly string[],
  { git, cwd }: Pick<Host, "git" | "cwd">,
): Promise<ReadonlyMap<string, Commit>> {
  const hashes = new Map(revisions.map((revision) => [revision, /^[0-9a-f]{40,64}/.exec(revision)?.[0]]))
  const input = [...hashes.values()].filter((hash) => hash !== undefined).join("\n")
  const format = ["-z", "--format=%H%n%aN%n%s"]
  const args = ["log", "--no-walk=unsorted", "--ignore-missing", "--stdin", ...format]
  const { stdout } = await git(args, { cwd, input }).catch(() => ({ stdout: "" })) // no git, so no names
  const commits = new Map<string, Commit>()
  for (const entry of stdout.toString().split("\0")) {
    const [hash = "", author = "", subject = ""] = entry.split("\n")
    commits.set(hash, { author, subject })
  }
  return new Map(
    [...hashes].flatMap(([revision, hash = ""]) => {
      const commit = commits.get(hash)
      return commit === undefined || hash === "" ? [] : [[revision, commit] as const]
    }),
  )
}
