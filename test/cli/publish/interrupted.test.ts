// @module-tag system
// @module-tag slow
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createProjectRepository } from "../../repository.ts"
import { s3Publisher } from "./s3-publisher.ts"

const { address, build, dist, get, pointer, publish, release, repository, s3, target } = s3Publisher()

describe("a failure part-way", () => {
  const apiPaths = [
    "staging/v1/flags",
    "production/v1/flags",
    "staging/v1/flags/a",
    "staging/v1/flags/b",
    "staging/v1/flags/n",
  ]
  const state = async () => ({
    pointer: await get("manifest.json"),
    api: await Promise.all(apiPaths.map((path) => get(path))),
  })

  test("at any one write: until the pointer has moved, nothing that readers find changes, and a second run completes", async () => {
    const first = await release({ a: true, b: true }, "--per-flag")
    const old = await state()
    const revision = repository().commitFlags({ a: false, b: undefined, n: true })
    await build()
    let failures = 0
    for (let failing = 1; ; failing++) {
      let count = 0
      s3().interfere = (method) => (method !== "GET" && ++count === failing ? 403 : undefined)
      const { status, err } = await publish("--per-flag")
      if (status === 0) break
      failures++
      const isMoved = (await pointer()).revision === revision
      expect(err).toContain(
        isMoved
          ? `proxies have revision ${revision}, but files of the read API may still be those of another: publish again to complete it`
          : `readers have revision ${first.revision}; publish again`,
      )
      if (!isMoved) expect(await state()).toEqual(old)
    }
    expect(failures).toBeGreaterThan(3)
    expect((await pointer()).revision).toBe(revision)
    expect(await get("staging/v1/flags")).toEqual(dist("staging.json"))
    expect(await get("staging/v1/flags/b")).toBeUndefined()
    expect(await get("staging/v1/flags/n")).toBeDefined()
  }, 180_000)

  test("from any write on, as when a store or a runner dies: a second run completes it", async () => {
    await release({ a: true, b: true }, "--per-flag")
    let revision = ""
    let failures = 0
    for (let failing = 1; failing < 12; failing++) {
      revision = repository().commitFlags({
        a: failing % 2 === 0,
        [`n${failing}`]: true,
        [`n${failing - 1}`]: undefined,
      })
      await build()
      let count = 0
      s3().interfere = (method) => (method !== "GET" && ++count >= failing ? 403 : undefined)
      if ((await publish("--per-flag")).status !== 0) failures++
      s3().interfere = () => undefined
      expect((await publish("--per-flag")).status).toBe(0)
      expect((await pointer()).revision).toBe(revision)
      expect(await get("staging/v1/flags")).toEqual(dist("staging.json"))
      const flags = JSON.parse(dist("staging.json").toString()).flags
      for (const entry of flags)
        expect((await get(`staging/v1/flags/${entry.flag.key}`))?.toString()).toBe(JSON.stringify(entry))
      expect(await get(`staging/v1/flags/n${failing - 1}`)).toBeUndefined()
    }
    expect(failures).toBeGreaterThan(6)
  }, 180_000)

  test.each([
    ["snapshots/", "before the pointer moves", false],
    ["staging/v1/flags", "afterwards", true],
  ])("a store that keeps different bytes of %s is detected %s", async (part, _, isMoved) => {
    const { revision: old } = await release({ a: true })
    const revision = repository().commitFlags({ a: false })
    await build()
    s3().interfere = async (method, path) => (method === "PUT" && path.includes(part) ? 200 : undefined)
    const { status, err } = await publish()
    expect(status).toBe(2)
    expect(err).toMatch(new RegExp(`${part}\\S* does not read back as it was sent`))
    expect((await pointer()).revision).toBe(isMoved ? revision : old)
  })
})

describe("two publishers", () => {
  test.each(["revisions.json", "staging/v1/flags", "manifest.json"])(
    "another publishes just before %s: the slower one is told, and readers have one revision",
    async (path) => {
      await release({ a: true })
      repository().commitFlags({ b: true })
      await build()
      const other = createProjectRepository()
      const winner = other.commitFlags({ a: true, c: true })
      await other.flagstone(["build"])
      let isFirst = true
      s3().interfere = async (method, asked) => {
        if (method !== "PUT" || !isFirst || asked !== new URL(address(path)).pathname) return undefined
        isFirst = false
        const { status, err } = await other.flagstone(["publish", target()], { env: s3().env, now: Date.now })
        if (status !== 0) throw new Error(err)
        return undefined
      }
      const { status, err } = await publish()
      expect(status).toBe(2)
      expect(err).toMatch(/another publisher updated .*; .* if it is still needed\n$/)
      expect((await pointer()).revision).toBe(winner)
      expect(await get("staging/v1/flags")).toEqual(readFileSync(join(other.folder, "dist/staging.json")))
      expect((await publish("--allow-shrink")).status).toBe(0)
      expect(await get("staging/v1/flags")).toEqual(dist("staging.json"))
    },
  )
})
