import { existsSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { Failure } from "../failure.ts"
import { type Git, GitMissing } from "../git.ts"

/** One side of a comparison. */
export type Endpoint =
  | { readonly kind: "commit"; readonly name: string; readonly revision: string }
  | { readonly kind: "work-tree"; readonly name: string }
  /** Before the first commit. */
  | { readonly kind: "nothing"; readonly name: string }

/** Where the flags are in their repository. */
export interface Repository {
  /** A folder of the work tree that exists; git runs there. */
  readonly cwd: string
  /** Absolute path of the flags folder. */
  readonly folder: string
  /** The flags folder's path in the tree, with `/` and without one at its end; `""`: the whole tree. */
  readonly prefix: string
}

/** Finds the repository that a flags folder lies in, or lay in: it need not exist. Throws `Failure` outside git. */
export async function findRepository(flags: string, git: Git): Promise<Repository> {
  const folder = resolve(flags)
  let cwd = folder
  let rest = ""
  while (!existsSync(cwd) && dirname(cwd) !== cwd) {
    rest = join(basename(cwd), rest)
    cwd = dirname(cwd)
  }
  const output = await run(git, ["rev-parse", "--is-inside-work-tree", "--show-prefix"], cwd)
  const [inside, shown = ""] = output.stdout.toString("utf8").split("\n")
  if (output.status !== 0 || inside !== "true")
    throw new Failure(`${folder} is not in a git repository: diff compares commits`)
  const prefix = join(shown, rest).replaceAll("\\", "/").replace(/\/+$/, "")
  return { cwd, folder, prefix: prefix === "." ? "" : prefix }
}

/**
 * The two sides that `[base] [head]` name, as git reads them: nothing is `HEAD` against the work tree, `a` is `a`
 * against it, `a..b` two commits, `a...b` the merge base against `b`, where a name that is left out is `HEAD`.
 * Throws `Failure` where a commit is missing.
 */
export async function readEndpoints(
  base: string | undefined,
  head: string | undefined,
  { cwd }: Repository,
  git: Git,
): Promise<readonly [Endpoint, Endpoint]> {
  const range = /^(.*?)(\.\.\.?)(.*)$/s.exec(base ?? "")
  if (range === null) {
    const workTree = { kind: "work-tree", name: "the work tree" } as const
    return [
      await readCommit(base ?? "HEAD", cwd, git),
      head === undefined ? workTree : await readCommit(head, cwd, git),
    ]
  }
  if (head !== undefined) throw new Failure(`\`${base}\` names both sides already: leave \`${head}\` out`)
  const [, left = "", dots, right = ""] = range
  const [from, to] = [await readCommit(left || "HEAD", cwd, git), await readCommit(right || "HEAD", cwd, git)]
  return [dots === "..." ? await mergeBase(from, to, cwd, git) : from, to]
}

async function readCommit(name: string, cwd: string, git: Git): Promise<Endpoint> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]
  const found = await run(git, args, cwd)
  const revision = found.stdout.toString("utf8").trim()
  if (found.status === 0) return { kind: "commit", name, revision }
  if (name === "HEAD") {
    const branch = await run(git, ["symbolic-ref", "--quiet", "HEAD"], cwd)
    if (branch.status === 0) return { kind: "nothing", name: "nothing, as there is no commit yet" }
  }
  throw new Failure(`no commit \`${name}\` in this clone: check its name, or ${await fix(cwd, git)}`)
}

async function mergeBase(from: Endpoint, to: Endpoint, cwd: string, git: Git): Promise<Endpoint> {
  if (from.kind !== "commit" || to.kind !== "commit") return from
  const found = await run(git, ["merge-base", from.revision, to.revision], cwd)
  const revision = found.stdout.toString("utf8").trim()
  if (found.status === 0)
    return { kind: "commit", name: `the merge base of ${from.name} and ${to.name}`, revision }
  const how = await fix(cwd, git)
  throw new Failure(`\`${from.name}\` and \`${to.name}\` have no commit in common here: ${how}`)
}

/** How what is missing in a clone can be had. */
async function fix(cwd: string, git: Git): Promise<string> {
  const { stdout } = await run(git, ["rev-parse", "--is-shallow-repository"], cwd)
  return stdout.toString("utf8").trim() === "true"
    ? "fetch the whole history, because the clone is shallow (git fetch --unshallow; in a workflow fetch-depth: 0)"
    : "fetch it (git fetch origin; in a workflow fetch-depth: 0)"
}

async function run(git: Git, args: readonly string[], cwd: string) {
  try {
    return await git(args, { cwd })
  } catch (cause) {
    if (cause instanceof GitMissing)
      throw new Failure("git is not installed: diff compares commits", { cause })
    throw cause
  }
}
