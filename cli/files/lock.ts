import { hash, randomUUID } from "node:crypto"
import { lstat, open, readFile, readlink, rm } from "node:fs/promises"
import { hostname } from "node:os"
import { setTimeout as wait } from "node:timers/promises"
import { Failure } from "../failure.ts"
import type { Host } from "../host.ts"
import { isAbandoned } from "./abandoned.ts"

/** How long to wait for a lock that is taken. */
export interface LockTimeouts {
  readonly attempts: number
  /** Milliseconds between two attempts. */
  readonly pause: number
}

const fiveSeconds: LockTimeouts = { attempts: 100, pause: 50 }

/** A lock file's owner. */
interface Owner {
  readonly pid: number
  /** The machine, or the container on it, that the process id belongs to. */
  readonly machine: string
  /** Unique for each lock. */
  readonly id: string
}

/**
 * Runs `use` while no other process has the lock at `path`. A lock whose owner has ended on this machine, or that is an
 * hour old, is taken over. Throws a `Failure` if it stays taken, for five seconds by default; what `use` throws; and a
 * system call's error if the lock file cannot be created.
 */
export async function withLock<T>(
  path: string,
  host: Pick<Host, "pid" | "isRunning">,
  use: () => Promise<T>,
  timeouts = fiveSeconds,
): Promise<T> {
  const owner: Owner = { pid: host.pid, machine: await machineName(), id: randomUUID() }
  const text = JSON.stringify(owner)
  for (let attempt = 1; !(await take(path, text)); attempt++) {
    const found = await look(path)
    if (found === undefined) continue
    const isStale =
      isOwnerGone(found.text, owner.machine, host) || (attempt === 1 && (await isAbandoned(path)))
    if (isStale && (await removeStale(path, found))) continue
    if (attempt >= timeouts.attempts) {
      throw new Failure(
        `${path} is in the way: another command${describe(found.text)} is using it or was interrupted; ` +
          "if none is running, remove that file and try again",
      )
    }
    await wait(timeouts.pause)
  }
  try {
    return await use()
  } finally {
    // After more than an hour, another process may have the lock.
    if ((await look(path))?.text === text) await rm(path, { force: true })
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
      throw cause
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

function isOwnerGone(text: string, machine: string, { isRunning }: Pick<Host, "isRunning">): boolean {
  const owner = parseOwner(text)
  return owner?.machine === machine && !isRunning(owner.pid)
}

/** A lock file as it was found. */
interface Found {
  readonly text: string
  /** Unique for each lock file at a path, even if it does not name its owner. */
  readonly identity: string
}

async function look(path: string): Promise<Found | undefined> {
  const found = await lstat(path).catch(() => undefined) // a dangling link is in the way too
  if (found === undefined) return undefined // it has just been released
  const text = await readFile(path, "utf8").catch(() => "") // another user's may not be readable
  return { text, identity: `${found.ino} ${found.mtimeMs} ${text}` }
}

/**
 * Removes a stale lock, unless another process is doing that. Two processes may find the same lock stale, and the slower
 * must not remove the lock that the faster has taken by then. So only the process that creates a marker named after the
 * stale lock may remove it, after checking that it is still there: a lock that is gone never comes back.
 */
async function removeStale(path: string, { identity }: Found): Promise<boolean> {
  const marker = `${path}.${hash("sha256", identity).slice(0, 16)}`
  if (!(await take(marker, ""))) {
    if (await isAbandoned(marker)) await rm(marker, { force: true })
    return false
  }
  try {
    if ((await look(path))?.identity === identity) await rm(path, { force: true })
  } finally {
    await rm(marker, { force: true })
  }
  return true
}

/** The host name is not enough: containers may share a folder and a host name, and each has its own process ids. */
async function machineName(): Promise<string> {
  const processIds = await readlink("/proc/self/ns/pid").catch(() => "")
  return `${hostname()} ${processIds}`.trim()
}

function parseOwner(text: string): Owner | undefined {
  try {
    const { pid, machine, id } = JSON.parse(text)
    return Number.isSafeInteger(pid) && pid > 0 && typeof machine === "string"
      ? { pid, machine, id }
      : undefined
  } catch {
    return undefined // it is just being written, or an older Flagstone wrote it
  }
}

function describe(text: string): string {
  const owner = parseOwner(text)
  return owner === undefined ? "" : ` (process ${owner.pid} on ${owner.machine.split(" ")[0]})`
}
