import { existsSync } from "node:fs"
import { join, relative } from "node:path"
import { readBlobs } from "../../compile/history/blobs.ts"
import { blobId } from "../../compile/read/blob-id.ts"
import { projectFileName } from "../../compile/read/file-names.ts"
import { isIgnored } from "../../compile/read/ignored-files.ts"
import { readSources, whyStray } from "../../compile/read/read.ts"
import { decodeSource, readSource } from "../../compile/read/read-source.ts"
import { refuseBareRepositories } from "../../compile/read/refuse-bare-repositories.ts"
import { createReport, type Report, type SourceFile } from "../../diagnostics/diagnostic.ts"
import type { Git } from "../../git.ts"
import type { Endpoint, FlagsFolder } from "./endpoints.ts"

/** The flags folder of one side: its files, and their contents on request. */
export interface Tree {
  /** Object ids of the project file and the flag files, by path below the flags folder. Equal ids: equal contents. */
  readonly files: ReadonlyMap<string, string>
  /** The files' contents, in the order of the paths. A file that cannot be read is reported. */
  readonly read: (paths: readonly string[], report: Report) => Promise<readonly SourceFile[]>
}

/** Lists the flags folder of one side. The work tree and the index are only read. */
export function readTree(endpoint: Endpoint, folder: FlagsFolder, git: Git): Promise<Tree> {
  switch (endpoint.kind) {
    case "commit":
      return readCommitTree(endpoint.revision, folder, git)
    case "work-tree":
      return readWorkTree(folder, git)
    case "nothing":
      return Promise.resolve({ files: new Map(), read: async () => [] })
  }
}

async function readCommitTree(
  revision: string,
  { cwd, path: folder, prefix }: FlagsFolder,
  git: Git,
): Promise<Tree> {
  const below = prefix === "" ? "" : `${prefix}/`
  const args = ["ls-tree", "-r", "-z", "--full-tree", revision, ...(prefix === "" ? [] : ["--", below])]
  const files = new Map<string, string>()
  for (const entry of (await output(git, args, cwd)).toString("utf8").split("\0")) {
    const tab = entry.indexOf("\t")
    const [mode = "", , id = ""] = entry.slice(0, tab).split(" ")
    const path = entry.slice(tab + 1 + below.length)
    // Links (mode 120000) and submodules (160000) are not followed.
    if (tab !== -1 && isOurs(folder, path, mode.startsWith("100"))) files.set(path, id)
  }
  return {
    files,
    async read(paths, report) {
      const ids = new Set(paths.map((path) => files.get(path) ?? ""))
      const blobs = new Map<string, Buffer>()
      await readBlobs(git, cwd, [...ids], (id, bytes) => blobs.set(id, Buffer.from(bytes)))
      return paths.flatMap((path) => {
        const bytes = blobs.get(files.get(path) ?? "") ?? Buffer.of()
        return decodeSource(join(folder, path), bytes, report) ?? []
      })
    },
  }
}

/** Whether a path is the project file or a flag file. */
function isOurs(folder: string, path: string, regular: boolean): boolean {
  return !isIgnored(path) && whyStray(join(folder, path), regular, folder) === undefined
}

async function readWorkTree({ cwd, path: folder }: FlagsFolder, git: Git): Promise<Tree> {
  if (!existsSync(folder)) return readFolder(folder)
  const format = await output(git, ["rev-parse", "--show-object-format"], cwd)
  return readFolder(folder, format.toString("utf8").trim() === "sha256" ? "sha256" : "sha1")
}

/** The flags folder on disk, read immediately. A missing folder is empty. */
export function readFolder(folder: string, algorithm: "sha1" | "sha256" = "sha1"): Tree {
  if (!existsSync(folder)) return { files: new Map(), read: async () => [] }
  const found = createReport()
  const projectFile = join(folder, projectFileName)
  refuseBareRepositories(folder, found)
  const project = existsSync(projectFile) ? readSource(projectFile, found) : undefined
  const sources = [...(project === undefined ? [] : [project]), ...readSources(folder, found)]
  const byPath = new Map(
    sources.map((source) => [relative(folder, source.path).replaceAll("\\", "/"), source]),
  )
  const unread = found.diagnostics.filter(({ severity }) => severity === "error")
  const files = new Map([...byPath].map(([path, { text }]) => [path, blobId(text, algorithm)]))
  for (const { location } of unread)
    files.set(relative(folder, location.source.path).replaceAll("\\", "/"), "unread")
  return {
    files,
    async read(paths, report) {
      for (const { location, ...diagnostic } of unread) report.add({ ...diagnostic, ...location })
      return paths.flatMap((path) => byPath.get(path) ?? [])
    },
  }
}

async function output(git: Git, args: readonly string[], cwd: string): Promise<Buffer> {
  const { status, stdout, stderr } = await git(args, { cwd })
  if (status !== 0) throw new Error(`git ${args[0]} failed in ${cwd}: ${stderr.trim()}`)
  return stdout
}
