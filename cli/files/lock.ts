import { existsSync } from "node:fs"
import { open, readFile, readlink, rm } from "node:fs/promises"
import { hostname } from "node:os"
import { setTimeout as wait } from "node:timers/promises"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"

/** Milliseconds between two attempts. */
const pause = 50

/**
 * Runs `use` while no other process has the lock at `path`. A lock whose owner has ended on this machine is taken over. Throws
 * a `Failure` if it stays taken, by default for five seconds, or cannot be written; what `use` throws; and a system call's
 * error if the lock file cannot be created.
 */
export async function withLock<T>(
  path: string,
  host: Pick<Host, "pid" | "isRunning">,
  use: () => Promise<T>,
  attempts = 100,
): Promise<T> {
  const machine = await machineName()
  const isStale = ({ pid, on }: Owner) => on === machine && !host.isRunning(pid)
  for (let attempt = 1; !(await take(path, `${host.pid} ${machine}`)); attempt++) {
    const owner = await ownerOf(path)
    if (owner !== undefined && isStale(owner)) await removeStale(path, isStale)
    if (attempt >= attempts) {
      const who = owner === undefined ? "" : ` (process ${owner.pid} on ${owner.on.split(" ")[0]})`
      throw new Failure(
        `${path} is in the way: another command${who} is using it or was interrupted; ` +
          `if none is running, remove that file${existsSync(secondOf(path)) ? ` and ${secondOf(path)}` : ""} and try again`,
      )
    }
    await wait(pause)
  }
  try {
    return await use()
  } finally {
    await rm(path, { force: true })
  }
}

/** Creates the lock file; false if it exists. The flag "wx" lets only one process create it. */
async function take(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600)
    try {
      await file.writeFile(text)
    } catch (cause) {
      await rm(path, { force: true })
      // A full disk is noticed here, and the errors of a file handle name no file.
      throw new Failure(`${path} cannot be written: ${(cause as Error).message}`, { cause })
    } finally {
      await file.close()
    }
    return true
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === "EEXIST") return false
    if (code === "ENOENT")
      throw new Failure(
        `${path} cannot be created, because its folder does not exist; create the folder first`,
        { cause },
      )
    throw cause
  }
}

/** A lock's process, and the machine, or the container on it, that the process id belongs to. */
interface Owner {
  readonly pid: number
  readonly on: string
}

/** `undefined` if the lock has just been released, is just being written, or cannot be read. */
async function ownerOf(path: string): Promise<Owner | undefined> {
  const text = await readFile(path, "utf8").catch(() => "")
  const [, pid, on] = /^([1-9]\d*) (.+)$/.exec(text) ?? []
  return on === undefined ? undefined : { pid: Number(pid), on }
}

/**
 * Two processes may find the same lock stale, and the slower must not remove the lock that the faster has taken by then. So only
 * the process that creates a second file may remove a stale lock, after reading it again: its owner no longer can.
 */
async function removeStale(path: string, isStale: (owner: Owner) => boolean): Promise<void> {
  const second = secondOf(path)
  if (!(await take(second, ""))) return
  try {
    const owner = await ownerOf(path)
    if (owner !== undefined && isStale(owner)) await rm(path, { force: true })
  } finally {
    await rm(second, { force: true })
  }
}

function secondOf(path: string): string {
  return `${path}.stale`
}

/** The host name is not enough: containers may share a folder and a host name, and each has its own process ids. */
async function machineName(): Promise<string> {
  const processIds = await readlink("/proc/self/ns/pid").catch(() => "")
  return `${hostname()} ${processIds}`.trim()
}
