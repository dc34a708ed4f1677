import { type Git, gitEntries } from "../../git.ts"
import type { FlagsFolder } from "../../project/commit-files.ts"
import { isSpecPath } from "../../reading/files/file-names.ts"
import type { Ignores } from "../../reading/files/ignore-globs.ts"
import { isFlagPath } from "../../reading/files/read.ts"
import { type Endpoint, revisionOf } from "../revisions/endpoints.ts"

/**
 * The first changed file of the repository, by path, that is not the file of a flag, a spec or one of `lists`, which are
 * paths in the flags folder; `undefined` if there is none. A link, a submodule and an ignored file are no flag's.
 */
export async function firstOtherFile(
  { before, after }: { readonly before: Endpoint; readonly after: Endpoint },
  { cwd, prefix }: FlagsFolder,
  ignores: Ignores,
  lists: ReadonlySet<string>,
  git: Git,
): Promise<string | undefined> {
  const run = (...args: readonly string[]) => gitEntries(git, args, cwd)
  const revisions = [before, after].flatMap((endpoint) => revisionOf(endpoint) ?? [])
  const raw = await run(
    "diff",
    "--raw",
    "-z",
    "--no-renames",
    "--no-relative",
    "--ignore-submodules=none",
    ...revisions,
    "--",
  )
  const status =
    after.kind === "work-tree"
      ? await run("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")
      : []
  const untracked = status.flatMap((entry) => (entry.startsWith("?? ") ? entry.slice(3) : []))
  const changed = [
    ...untracked.map((path) => ({ path, isRegular: true })),
    ...raw.flatMap((entry, at) => {
      const path = raw[at + 1]
      if (!entry.startsWith(":") || at % 2 === 1 || path === undefined) return []
      const modes = entry.slice(1).split(" ").slice(0, 2)
      return [{ path, isRegular: modes.every((mode) => mode === "000000" || mode === "100644") }]
    }),
  ]
  const below = prefix === "" ? "" : `${prefix}/`
  const isOfFlag = (path: string) =>
    (isFlagPath(path) || isSpecPath(path) || lists.has(path)) && !ignores(path)
  return changed
    .filter(
      ({ path, isRegular }) => !isRegular || !path.startsWith(below) || !isOfFlag(path.slice(below.length)),
    )
    .map(({ path }) => path)
    .sort()[0]
}
