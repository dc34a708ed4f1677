import { join } from "node:path"
import { compareText, type Report } from "../diagnostics/diagnostic.ts"
import { type Git, gitEntries } from "../git.ts"
import { readBlobs } from "../history/blobs.ts"
import { projectFileName } from "../reading/files/file-names.ts"
import { isIgnored } from "../reading/files/ignored-files.ts"
import { pathFrom, whyStray } from "../reading/files/read.ts"
import { decodeSource } from "../reading/files/read-source.ts"
import type { ProjectFiles } from "./files.ts"

/** Where the flags folder is in its git repository. */
export interface FlagsFolder {
  /** A folder of the work tree that exists. git runs there. */
  readonly cwd: string
  /** Its absolute path. */
  readonly path: string
  /** Its path in the tree, with `/` inside and none at the end; `""`: the whole tree. */
  readonly prefix: string
}

/** The flags folder in a commit. A file there that is not a flag file is ignored. */
export async function commitFiles(revision: string, flags: FlagsFolder, git: Git): Promise<ProjectFiles> {
  const folder = flags.path
  const ids = await listFiles(revision, flags, git)
  const blobs = new Map<string, Buffer>()
  await readBlobs(git, flags.cwd, [...new Set(ids.values())], (id, bytes) =>
    blobs.set(id, Buffer.from(bytes)),
  )
  return blobFiles(folder, ids, blobs)
}

/** Files by their paths in the folder, with the contents of their blobs by id. */
export function blobFiles(
  folder: string,
  ids: ReadonlyMap<string, string>,
  blobs: ReadonlyMap<string, Buffer>,
): ProjectFiles {
  const read = (path: string, report: Report) =>
    decodeSource(join(folder, path), blobs.get(ids.get(path) ?? "") ?? Buffer.of(), report)
  const paths = [...ids.keys()].filter((path) => path !== projectFileName).sort(compareText)
  return {
    folder,
    projectFile: (report) => (ids.has(projectFileName) ? read(projectFileName, report) : undefined),
    sources: (ignores, report) =>
      paths.filter((path) => !ignores(path)).flatMap((path) => read(path, report) ?? []),
  }
}

/** The ids of the project file, the flag files and the segment files, by their paths in the folder. */
async function listFiles(
  revision: string,
  { cwd, path: folder, prefix }: FlagsFolder,
  git: Git,
): Promise<ReadonlyMap<string, string>> {
  const below = prefix === "" ? "" : `${prefix}/`
  const args = ["ls-tree", "-r", "-z", "--full-tree", revision, ...(prefix === "" ? [] : ["--", below])]
  const files = new Map<string, string>()
  for (const entry of await gitEntries(git, args, cwd)) {
    const tab = entry.indexOf("\t")
    const [mode = "", , id = ""] = entry.slice(0, tab).split(" ")
    const path = join(folder, entry.slice(tab + 1 + below.length))
    // Links (mode 120000) and submodules (160000) are not followed.
    const isFlag = !isIgnored(path) && whyStray(path, mode.startsWith("100"), folder) === undefined
    if (isFlag) files.set(pathFrom(folder, path), id)
  }
  return files
}
