import type { Inside } from "../../compile/history/repository.ts"
import { Failure } from "../../failure.ts"

/** The authors' names of some commits, by id, as git has them. */
export async function readAuthors(
  { git, top }: Inside,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const { status, stdout, stderr } = await git(
    [
      "log",
      "-z",
      "--no-walk=unsorted",
      "--stdin",
      "--no-mailmap",
      "--encoding=UTF-8",
      "--no-notes",
      "--format=tformat:%H %an",
    ],
    { cwd: top, input: ids.map((id) => `${id}\n`).join("") },
  )
  if (status !== 0) throw new Failure(`git cannot read the authors in ${top}: ${stderr.trim()}`)
  const lines = stdout.toString("utf8").split("\0")
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]))
}
