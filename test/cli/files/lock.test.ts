// @module-tag system
import { spawnSync } from "node:child_process"
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { beforeEach, describe, expect, test } from "vitest"
import { withLock } from "../../../cli/files/lock.ts"
import { testHost } from "../../test-host.ts"

const host = testHost()
const twice = { attempts: 2, pause: 1 }

let folder = ""
let path = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flagstone-lock-"))
  path = join(folder, "a.lock")
})

/** The lock file's contents while someone has it. */
async function lockText(): Promise<{ readonly pid: number; readonly machine: string; readonly id: string }> {
  return withLock(path, host, async () => JSON.parse(readFileSync(path, "utf8")))
}

/** The id of a process that has ended. */
function goneProcess(): number {
  return spawnSync(process.execPath, ["-e", "0"]).pid
}

test("nothing is left, whether the task under the lock returned or threw", async () => {
  expect(await withLock(path, host, async () => readdirSync(folder))).toEqual(["a.lock"])
  await expect(withLock(path, host, () => Promise.reject(new Error("mine")))).rejects.toThrow("mine")
  expect(readdirSync(folder)).toEqual([])
})

describe("a lock that is held", () => {
  test.each([
    ["by a process that runs", async () => JSON.stringify(await lockText())],
    [
      "by a process on another machine",
      async () => JSON.stringify({ ...(await lockText()), machine: "other", pid: goneProcess() }),
    ],
    ["by an unknown process", async () => ""],
  ])("%s is named, with the fix, and not removed", async (_, text) => {
    const lock = await text()
    writeFileSync(path, lock)
    await expect(withLock(path, host, async () => "never", twice)).rejects.toThrow(
      /a\.lock is in the way: .* if none is running, remove that file and try again$/,
    )
    expect(readFileSync(path, "utf8")).toBe(lock)
    expect(readdirSync(folder)).toEqual(["a.lock"])
  })
})

test("who has the lock is said as far as it is known", async () => {
  const { pid, machine } = await lockText()
  const said = async (text: string) => {
    writeFileSync(path, text)
    return withLock(path, host, async () => "never", twice).catch(({ message }: Error) => message)
  }
  const message = (who: string) =>
    `${path} is in the way: another command${who} is using it or was interrupted; if none is running, remove that file and try again`
  expect(await said(JSON.stringify({ pid, machine: `${machine.split(" ")[0]} pid:[1]`, id: "x" }))).toBe(
    message(` (process ${pid} on ${machine.split(" ")[0]})`),
  )
  for (const owner of [{ pid: 0, machine }, { pid: 1.5, machine }, { pid, machine: 1 }, {}])
    expect(await said(JSON.stringify(owner))).toBe(message(""))
})

test("a lock that is released in the meantime is taken, and no one else can read it", async () => {
  const first = withLock(path, host, () => sleep(5))
  await withLock(path, host, async () => expect(statSync(path).mode & 0o777).toBe(0o600))
  await first
  expect(readdirSync(folder)).toEqual([])
})

test("a lock that another process has taken over is not removed", async () => {
  await withLock(path, host, async () => writeFileSync(path, "theirs"))
  expect(readFileSync(path, "utf8")).toBe("theirs")
})

test("without its folder, the fix is named", async () => {
  await expect(withLock(join(folder, "gone/a.lock"), host, async () => "never")).rejects.toThrow(
    "gone/a.lock cannot be created, because its folder does not exist; create the folder first",
  )
})

test("a dangling link instead of a lock is reported, and not waited for forever", async () => {
  symlinkSync(join(folder, "nowhere"), path)
  await expect(withLock(path, host, async () => "never", twice)).rejects.toThrow("a.lock is in the way")
  expect(readdirSync(folder)).toEqual(["a.lock"])
})

describe("a lock is taken over, and nothing of it is left,", () => {
  test("when its owner has ended", async () => {
    writeFileSync(path, JSON.stringify({ ...(await lockText()), pid: goneProcess() }))
    expect(await withLock(path, host, async () => "done", twice)).toBe("done")
    expect(readdirSync(folder)).toEqual([])
  })

  test("when it is more than an hour old", async () => {
    writeFileSync(path, JSON.stringify(await lockText()))
    const before = Date.now() / 1000 - 3_700
    utimesSync(path, before, before)
    expect(await withLock(path, host, async () => "done", twice)).toBe("done")
    expect(readdirSync(folder)).toEqual([])
  })

  test("by one of many", async () => {
    const stale = JSON.stringify({ ...(await lockText()), pid: goneProcess() })
    let inside = 0
    let most = 0
    const use = async () => {
      most = Math.max(most, ++inside)
      await sleep(1)
      inside--
    }
    for (let round = 0; round < 20; round++) {
      writeFileSync(path, stale)
      await Promise.all(
        Array.from({ length: 10 }, () => withLock(path, host, use, { attempts: 1000, pause: 1 })),
      )
    }
    expect({ most, left: readdirSync(folder) }).toEqual({ most: 1, left: [] })
  })
})
