// @module-tag system
// @module-tag slow
import { spawnSync } from "node:child_process"
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { createProjectRepository, type ProjectRepository } from "../../repository.ts"

// In a folder that the tests damage: what the same command repairs, and what it refuses before it sends anything.

let repository: ProjectRepository
let folder = ""
let seconds = 86_400 * 3000
beforeEach(() => {
  repository = createProjectRepository()
  folder = join(mkdtempSync(join(tmpdir(), "flagstone-")), "out")
})

const at = (path: string) => join(folder, path)
const text = (path: string) => readFileSync(at(path), "utf8")
const dist = (file: string) => readFileSync(join(repository.folder, "dist", file), "utf8")
const publish = (...args: readonly string[]) =>
  repository.flagstone(["publish", folder, ...args], { now: Date.now })
const build = async () => expect((await repository.flagstone(["build"])).status).toBe(0)

async function release(
  flags: Readonly<Record<string, boolean | undefined>>,
  ...args: readonly string[]
): Promise<string> {
  repository.commitFlags(flags)
  const revision = repository.commit(++seconds)
  await build()
  expect(await publish(...args)).toMatchObject({ status: 0 })
  return revision
}

async function expectNothingToSend(): Promise<void> {
  expect(await publish()).toMatchObject({ status: 0, err: expect.stringContaining("nothing to send") })
}

describe("the same command repairs", () => {
  test.each([
    ["a list that is lost", (file: string) => rmSync(file), "staging/v1/flags.json"],
    [
      "a list that is damaged",
      (file: string) => writeFileSync(file, '{"flags":[]}\n'),
      "staging/v1/flags.json",
    ],
    ["a flag that is lost", (file: string) => rmSync(file), "staging/v1/flags/a.json"],
    ["a flag that is damaged", (file: string) => writeFileSync(file, "{}"), "staging/v1/flags/a.json"],
    ["the answer for no flag", (file: string) => rmSync(file), "404.json"],
    ["the manifest, lost", (file: string) => rmSync(file), "manifest.json"],
    ["the manifest, damaged", (file: string) => writeFileSync(file, '{"formatVersion":1,'), "manifest.json"],
  ])("%s", async (_, damage, path) => {
    await release({ a: true, b: true }, "--per-flag")
    const before = text(path)
    damage(at(path))
    expect(await publish()).toMatchObject({ status: 0, err: expect.stringContaining(" now has ") })
    if (path !== "manifest.json") expect(text(path)).toBe(before)
    expect(readdirSync(at("staging/v1/flags"))).toEqual(["a.json", "b.json"])
    expect(JSON.parse(text("manifest.json")).environments).toBeDefined()
    expect(text("staging/v1/flags.json")).toBe(dist("staging.json"))
    await expectNothingToSend()
  })

  test.each(["", "{"])(
    "a manifest that is now %j, even if the clock is behind: its time is later",
    async (damaged) => {
      await release({ a: true })
      const before = JSON.parse(text("manifest.json")).publishedAt
      writeFileSync(at("manifest.json"), damaged)
      await repository.flagstone(["publish", folder], { now: () => Date.parse(before) - 60_000 })
      expect(Date.parse(JSON.parse(text("manifest.json")).publishedAt)).toBeGreaterThan(Date.parse(before))
    },
  )

  test("a lost index: the files of removed flags go away, those of the others stay", async () => {
    await release({ a: true, b: true }, "--per-flag")
    rmSync(at("revisions.json"))
    await release({ b: undefined })
    expect(readdirSync(at("staging/v1/flags"))).toEqual(["a.json"])
    await expectNothingToSend()
  })

  test("what a killed publisher left in the folder: its lock, its entry, half of its files", async () => {
    await release({ a: true, b: true }, "--per-flag")
    const index = JSON.parse(text("revisions.json"))
    const [first] = index.revisions
    const killed = { ...first, revision: "0".repeat(40), publishedAt: "2100-01-01T00:00:00.000Z" }
    writeFileSync(at("revisions.json"), JSON.stringify({ ...index, revisions: [killed, first] }))
    writeFileSync(at("staging/v1/flags/a.json"), "{}")
    const { pid } = spawnSync("true")
    writeFileSync(at(".publish.lock"), `${pid} ${hostname()} ${readlinkSync("/proc/self/ns/pid")}`)
    expect(await publish()).toMatchObject({ status: 0 })
    expect(JSON.parse(text("staging/v1/flags/a.json")).flag.key).toBe("a")
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([])
    await expectNothingToSend()
  })
})

test("what keys left behind whose files cannot share a folder is in no one's way", async () => {
  await release({ "team.json/x": true, other: true, more: true }, "--per-flag")
  await release({ "team.json/x": undefined })
  mkdirSync(at("staging/v1/flags/team.json"), { recursive: true })
  await release({ team: true })
  expect(JSON.parse(text("staging/v1/flags/team.json")).flag.key).toBe("team")
})

test("an older commit than the published one is the one that the other descends from, whatever their dates are", async () => {
  await release({ a: true })
  await repository.flagstone(["build", "--out", "older"])
  seconds -= 100
  await release({ a: false })
  seconds += 100
  const older = await publish("--snapshots", "older")
  expect(older).toMatchObject({
    status: 2,
    err: expect.stringContaining("is an ancestor of the published one"),
  })
  repository.git("checkout", "-q", "--orphan", "unrelated")
  repository.commitFlags({ b: true })
  repository.commit(seconds - 200)
  await build()
  expect((await publish()).status).toBe(2) // by date
})
