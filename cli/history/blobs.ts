import { Failure } from "../failure.ts"
import type { Git } from "../git.ts"

/**
 * Passes the contents of blobs to `take` one by one, as git prints them. One process reads all, and only the pipe's
 * contents are in memory. Blobs that a partial clone lacks are fetched first, in one request.
 */
export async function readBlobs(
  git: Git,
  top: string,
  ids: readonly string[],
  take: (id: string, bytes: Buffer) => void,
): Promise<void> {
  if (ids.length === 0) return
  await fetchMissing(git, top, ids)
  const reader = createBatchReader(take)
  const { status, stderr } = await git(["cat-file", "--batch", "--buffer"], {
    cwd: top,
    input: ids.map((id) => `${id}\n`).join(""),
    onStdout: reader.push,
  })
  if (status !== 0 || !reader.isDone())
    throw new Failure(`git cannot read the old versions of the flags in ${top}: ${stderr.trim()}`)
}

/** Splits the output of `cat-file --batch` (git-cat-file, "Batch output") into blobs. */
function createBatchReader(take: (id: string, bytes: Buffer) => void) {
  let pending: Buffer[] = []
  let size = 0
  /** Bytes of the first pending blob with its header and last newline; 0 while its header is incomplete. */
  let needed = 0
  function push(chunk: Buffer): void {
    pending.push(chunk)
    size += chunk.length
    if (needed > size) return
    let rest = pending.length === 1 ? chunk : Buffer.concat(pending)
    for (;;) {
      const end = rest.indexOf(10)
      needed = 0
      if (end === -1) break
      const [id = "", type, length] = rest.toString("latin1", 0, end).split(" ")
      if (type !== "blob")
        throw new Failure(`git is missing the blob ${id}: run git fsck, and clone the repository again`)
      needed = end + 1 + Number(length) + 1
      if (needed > rest.length) break
      take(id, rest.subarray(end + 1, needed - 1))
      rest = rest.subarray(needed)
    }
    pending = rest.length === 0 ? [] : [rest]
    size = rest.length
  }
  return { push, isDone: () => size === 0 }
}

/**
 * A partial clone ("git clone --filter=blob:none") has only some blobs, and git would fetch each of the others over a
 * separate connection. Fetches all from the remote that promised them in one request, as git does for a checkout.
 */
async function fetchMissing(git: Git, top: string, ids: readonly string[]): Promise<void> {
  const remote = await promisor(git, top)
  if (remote === undefined) return
  const missing = await withoutLocal(git, top, ids)
  if (missing.length === 0) return
  const { status, stderr } = await git(
    [
      ...["-c", "fetch.negotiationAlgorithm=noop", "fetch", "--no-tags", "--no-write-fetch-head"],
      ...["--recurse-submodules=no", "--filter=blob:none", "--stdin", "--", remote],
    ],
    { cwd: top, input: missing.map((id) => `${id}\n`).join("") },
  )
  if (status === 0) return
  throw new Failure(
    `this is a partial clone, and ${remote} did not send the ${missing.length} old versions that are missing: ` +
      `clone without --filter. git says: ${stderr.trim()}`,
  )
}

/** The remote that has the objects that a partial clone lacks; `undefined` for a full clone. */
async function promisor(git: Git, top: string): Promise<string | undefined> {
  const names = "^(extensions\\.partialclone|remote\\..*\\.(promisor|partialclonefilter))$"
  const { stdout } = await git(["config", "-z", "--get-regexp", names], { cwd: top })
  const settings = stdout
    .toString("utf8")
    .split("\0")
    .map((setting) => setting.split("\n"))
  if (settings.some(([name = "", value]) => name.endsWith("filter") && value?.startsWith("tree:"))) {
    throw new Failure(
      "this clone lacks old trees, and git would fetch them one by one: clone with --filter=blob:none, or without --filter",
    )
  }
  const extension = settings.find(([name]) => name === "extensions.partialclone")?.[1]
  const promising = settings.find(([name = "", value]) => name.endsWith(".promisor") && value === "true")?.[0]
  return extension ?? promising?.slice("remote.".length, -".promisor".length)
}

/** The ids that are not local. Asking git for one by name would fetch it, so this lists all local objects. */
async function withoutLocal(git: Git, top: string, ids: readonly string[]): Promise<readonly string[]> {
  const missing = new Set(ids)
  let rest = ""
  await git(["cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)"], {
    cwd: top,
    onStdout: (chunk) => {
      const lines = (rest + chunk.toString("latin1")).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) missing.delete(line)
    },
  })
  return [...missing]
}
