import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Git } from "../../git.ts"
import { commitFiles, type FlagsFolder } from "../../project/commit-files.ts"
import { folderFiles, memoryFiles, type ProjectFiles } from "../../project/files.ts"
import { projectFileName } from "../../reading/files/file-names.ts"
import type { Endpoint } from "./endpoints.ts"

/** The files of one side; none if it has no project. The work tree and the index are only read. */
export async function filesAt(endpoint: Endpoint, folder: FlagsFolder, git: Git): Promise<ProjectFiles> {
  const { path } = folder
  if (endpoint.kind === "commit") return commitFiles(endpoint.revision, folder, git)
  const isThere = endpoint.kind === "work-tree" && existsSync(join(path, projectFileName))
  return isThere ? folderFiles(path) : memoryFiles(path, [])
}
