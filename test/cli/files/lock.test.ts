// @module-tag system
// @module-tag slow
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { beforeEach, describe, expect, test } from "vitest"
import { withLock } from "../../../cli/files/lock.ts"
import { testHost } from "../../test-host.ts"

const host = testHost()

let folder = ""
let path = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flagstone-lock-"))
  path = join(folder, "a.lock")
})

/** The lock file's contents while someone has it. */
async function lockText(): Promise<string> {
  return withLock(path, host, async () => readFileSync(path, "utf8"))
}

/** The lock file's contents of a process that has ended. */
async function staleText(): Promise<string> {
  return (await lockText()).replace(/^\d+/, String(spawnSync(process.execPath, ["-e", "0"]).pid))
}

test("nothing is left, whether the task under the lock returned or threw", async () => {
  expect(await withLock(path, host, async () => readdirSync(folder))).toEqual(["a.lock"])
  await expect(withLock(path, host, () => Promise.reject(new Error("mine")))).rejects.toThrow("mine")
  expect(readdirSync(folder)).toEqual([])
})

describe("a lock that is held", () => {
  test.each([
    ["by a process that runs", lockText],
    ["by a process on another machine", async () => (await staleText()).replace(" ", " other-")],
    ["by a process of another container", async () => `${await staleText()}1`],
    ["by an unknown process", async () => ""],
  ])("%s is named, with the fix, and not removed", async (_, text) => {
    const lock = await text()
    writeFileSync(path, lock)
    await expect(withLock(path, host, async () => "never", 2)).rejects.toThrow(
      /a\.lock is in the way: .* if none is running, remove that file and try again$/,
    )
    expect(readFileSync(path, "utf8")).toBe(lock)
    expect(readdirSync(folder)).toEqual(["a.lock"])
  })
})

test("who has the lock is said as far as it is known", async () => {
  const [pid = "", machine = ""] = (await lockText()).split(" ")
  const said = async (text: string) => {
    writeFileSync(path, text)
    return withLock(path, host, async () => "never", 2).catch(({ message }: Error) => message)
  }
  const message = (who: string) =>
    `${path} is in the way: another command${who} is using it or was interrupted; if none is running, remove that file and try again`
  expect(await said(`${pid} ${machine} pid:[1]`)).toBe(message(` (process ${pid} on ${machine})`))
  for (const owner of [`0 ${machine}`, `1.5 ${machine}`, pid, "{}"])
    expect(await said(owner)).toBe(message(""))
})

test("a lock that is released in the meantime is taken, and no one else can read it", async () => {
  const first = withLock(path, host, () => sleep(5))
  await withLock(path, host, async () => expect(statSync(path).mode & 0o777).toBe(0o600))
  await first
  expect(readdirSync(folder)).toEqual([])
})

test("without its folder, the fix is named", async () => {
  await expect(withLock(join(folder, "gone/a.lock"), host, async () => "never")).rejects.toThrow(
    "gone/a.lock cannot be created, because its folder does not exist; create the folder first",
  )
})

test("a dangling link instead of a lock is reported, and not waited for forever", async () => {
  symlinkSync(join(folder, "nowhere"), path)
  await expect(withLock(path, host, async () => "never", 2)).rejects.toThrow("a.lock is in the way")
  expect(readdirSync(folder)).toEqual(["a.lock"])
})

test("a lock that another process has just taken over is not removed, nor one that another is removing", async () => {
  const [stale, theirs] = [await staleText(), await lockText()]
  writeFileSync(path, stale)
  const isRunning = (pid: number) => {
    if (!stale.startsWith(`${pid} `)) return true
    writeFileSync(path, theirs)
    return false
  }
  await expect(withLock(path, { ...host, isRunning }, async () => "never", 2)).rejects.toThrow("in the way")
  expect(readFileSync(path, "utf8")).toBe(theirs)
  writeFileSync(path, stale)
  writeFileSync(`${path}.stale`, "")
  await expect(withLock(path, host, async () => "never", 2)).rejects.toThrow("in the way")
  expect(readFileSync(path, "utf8")).toBe(stale)
})

describe("a lock is taken over, and nothing of it is left,", () => {
  test("when its owner has ended", async () => {
    writeFileSync(path, await staleText())
    expect(await withLock(path, host, async () => "done", 2)).toBe("done")
    expect(readdirSync(folder)).toEqual([])
  })

  test("by one of many", async () => {
    const stale = await staleText()
    let inside = 0
    let most = 0
    const use = async () => {
      most = Math.max(most, ++inside)
      await sleep(1)
      inside--
    }
    for (let round = 0; round < 10; round++) {
      writeFileSync(path, stale)
      await Promise.all(Array.from({ length: 10 }, () => withLock(path, host, use)))
    }
    expect({ most, left: readdirSync(folder) }).toEqual({ most: 1, left: [] })
  })
})
