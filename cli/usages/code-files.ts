import { closeSync, existsSync, lstatSync, openSync, readSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join, sep } from "node:path"
import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { Failure } from "../failure.ts"
import { isAbsence } from "../files/read-if-there.ts"
import { type Git, type GitOutput, whyNoRepository } from "../git.ts"

/** Where to search for code. Paths are absolute. */
export interface CodeRequest {
  /** Files and folders; empty: the repository that holds the flags folder. */
  readonly code: readonly string[]
  /** The flags folder, which is not searched. */
  readonly folder: string
  readonly git: Git
}

/** Larger files are left out, because no one writes them by hand. */
const maxBytes = 1_000_000

/**
 * The files that git tracks or would track: every `.gitignore` applies, and no history is needed. Throws `Failure` for a path
 * that does not exist or is not in git.
 */
export async function listCode({ code, folder, git }: CodeRequest): Promise<readonly string[]> {
  const paths = code.length > 0 ? code : [await topOf(folder, git)]
  const lists = await Promise.all(paths.map((path) => listBelow(path, git)))
  // git lists files by paths without links. The folder may be missing: `diff` compares commits.
  const flags = (existsSync(folder) ? realpathSync(folder) : folder) + sep
  const isFlag = (path: string) => path.startsWith(flags)
  return [...new Set(lists.flat())].filter((path) => !isFlag(path)).sort()
}

/** The top of the repository that holds a folder. Throws `Failure` outside git. */
export async function topOf(folder: string, git: Git): Promise<string> {
  const output = await git(["rev-parse", "--show-toplevel"], { cwd: folder })
  if (output.status !== 0) throw notListed(folder, output)
  return output.stdout.toString("utf8").replace(/\n$/, "")
}

/** Lists files below a path. Links below it are not followed, but the path itself may be a link. */
async function listBelow(given: string, git: Git): Promise<readonly string[]> {
  const found = statSync(given, { throwIfNoEntry: false })
  if (found === undefined) throw new Failure(`no file or folder ${given}: name the code with --code`)
  const path = realpathSync(given)
  const [cwd, name] = found.isDirectory() ? [path, "."] : [dirname(path), basename(path)]
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", name]
  const output = await git(list, { cwd })
  if (output.status !== 0) throw notListed(path, output)
  const names = output.stdout.toString("utf8").replaceAll("/", sep).split("\0")
  const start = join(cwd, sep) // `join` for each name would take a tenth of the search time
  return names.filter((name) => name !== "").map((name) => start + name)
}

function notListed(path: string, output: GitOutput): Failure {
  const otherwise = `${path} is not in a git repository: only files that git lists are searched, so run \`git init\` or name a repository with --code`
  return new Failure(whyNoRepository(output, otherwise))
}

/** A file of code; `undefined` for a link, a submodule, a binary file, or one that is deleted and not yet committed. */
export function readCode(path: string): SourceFile | "too-large" | undefined {
  let file: number | undefined
  try {
    if (!lstatSync(path).isFile()) return undefined
    file = openSync(path, "r")
    let length = 0
    let read: number
    do {
      read = readSync(file, bytes, length, bytes.length - length, null)
      length += read
    } while (read > 0)
    if (length > maxBytes) return bytes.includes(0) ? undefined : "too-large"
    const text = bytes.toString("utf8", 0, length)
    return text.includes("\0") ? undefined : { path, text }
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** One buffer for all files: `readFileSync` would ask for each file's size again and allocate memory for it. */
const bytes = Buffer.allocUnsafe(maxBytes + 1)
