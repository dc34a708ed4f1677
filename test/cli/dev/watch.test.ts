import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { watchFolder } from "../../../cli/dev/watch.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const interval = 300

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "flagstone-watch-"))
}

/** Watches a folder; the returned function gives the number of changes seen after one more poll. */
function watchCounting(folder: string): () => Promise<number> {
  let changes = 0
  const watch = watchFolder(folder, interval)
  watch.start(async () => {
    changes++
  })
  return async () => {
    await vi.advanceTimersByTimeAsync(interval)
    return changes
  }
}

test("adding, changing or removing a file is a change, at any depth; git's own folder is ignored", async () => {
  const folder = temporaryFolder()
  for (const name of [".git", "team"]) mkdirSync(join(folder, name))
  const changesAfterPoll = watchCounting(folder)
  expect(await changesAfterPoll()).toBe(0)
  writeFileSync(join(folder, ".git", "index"), "a build caches what it read there")
  expect(await changesAfterPoll()).toBe(0)

  const file = join(folder, "team", "sale.yaml")
  writeFileSync(file, "defaultValue: true\n")
  expect(await changesAfterPoll()).toBe(1)
  expect(await changesAfterPoll()).toBe(1)
  writeFileSync(file, "defaultValue: false\n")
  expect(await changesAfterPoll()).toBe(2)
  rmSync(file)
  expect(await changesAfterPoll()).toBe(3)
})

test("a change between the creation of the watch and its start is seen", async () => {
  const folder = temporaryFolder()
  const watch = watchFolder(folder, interval)
  writeFileSync(join(folder, "a.yaml"), "")
  let changes = 0
  watch.start(async () => {
    changes++
  })
  await vi.advanceTimersByTimeAsync(interval)
  expect(changes).toBe(1)
  watch.stop()
  writeFileSync(join(folder, "b.yaml"), "")
  await vi.advanceTimersByTimeAsync(10 * interval)
  expect(changes).toBe(1)
})

test("removing a folder and restoring it are two changes", async () => {
  const folder = temporaryFolder()
  const changesAfterPoll = watchCounting(folder)
  rmSync(folder, { recursive: true })
  expect(await changesAfterPoll()).toBe(1)
  expect(await changesAfterPoll()).toBe(1)
  mkdirSync(folder)
  expect(await changesAfterPoll()).toBe(2)
})
