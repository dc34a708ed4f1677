import { realpathSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { relativePath } from "../diagnostics/relative-path.ts"
import { commitTime } from "../history/time-text.ts"
import { type CodeRequest, topOf } from "../usages/code-files.ts"
import { keysIn } from "../usages/references.ts"

/**
 * When the last reference to each key was deleted from the code, in milliseconds since 1970; absent for keys whose
 * reference no commit deleted. Reads the history of the code once, back to the oldest of these commits.
 */
export async function findLastUses(
  keys: ReadonlySet<string>,
  { code, folder, git }: CodeRequest,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const path of keys.size === 0 ? [] : code) {
    const cwd = statSync(path).isDirectory() ? path : dirname(path)
    const flags = relativePath(await topOf(cwd, git), realpathSync(folder))
    const flagHeader = Buffer.from(`diff --git a/${flags}${flags && "/"}`).toString("latin1") // as the lines below
    const wanted = new Set(keys)
    let [at, isFlag, pending] = [0, false, ""]
    const readLine = (line: string) => {
      if (line.startsWith("\0")) at = commitTime(line.slice(1))
      else if (line.startsWith("diff --git ")) isFlag = line.startsWith(flagHeader)
      else if (line.startsWith("-") && !isFlag)
        for (const { key } of keysIn({ path, text: line }, wanted)) {
          wanted.delete(key)
          found.set(key, Math.max(at, found.get(key) ?? 0))
        }
      if (wanted.size === 0) throw new AllFound()
    }
    const onStdout = (chunk: Buffer) => {
      const text = chunk.toString("latin1")
      const lines = text.includes("\n") ? (pending + text).split("\n") : [] // a minified file's line has many chunks
      pending = lines.pop() ?? pending + text
      lines.forEach(readLine)
    }
    const log = [
      ...["log", "--format=%x00%ct", "-p", "-U0", "--no-renames", "--no-relative", "--src-prefix=a/"],
      ...["--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"],
    ]
    await git([...log, "--", path], { cwd, onStdout }).catch((error: unknown) => {
      if (!(error instanceof AllFound)) throw error
    })
  }
  return found
}

/** Stops git once the rest of the history is not needed. */
class AllFound extends Error {}
