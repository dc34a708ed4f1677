// @module-tag system
// @module-tag slow
import { describe, expect, test } from "vitest"
import { s3Publisher } from "./s3-publisher.ts"

const { dist, get, pointer, publish, release } = s3Publisher()

describe("rollback", () => {
  test("--list, --rollback by a part of the name, and the addresses stay", async () => {
    const first = await release({ a: true }, "--per-flag")
    const old = dist("staging.json")
    const second = await release({ a: false, b: true }, "--per-flag")
    const listed = await publish("--list")
    expect(listed.out).toMatch(
      new RegExp(
        `^\\* ${second.revision}  published \\S+Z  committed 2026-11-21T09:00:00.000Z  flags: staging 2, production 2  \\S+: at \\d+\n` +
          `  ${first.revision}  published .* flags: staging 1, production 1  \\S+: at \\d+\n$`,
      ),
    )
    const before = await pointer()
    const back = await publish("--rollback", first.revision.slice(0, 9))
    expect(back).toMatchObject({ status: 0, out: second.out })
    expect(await get("staging/v1/flags")).toEqual(old)
    expect(await get("staging/v1/flags/a")).toBeDefined()
    expect(await get("staging/v1/flags/b")).toBeUndefined()
    const after = await pointer()
    expect(after.revision).toBe(first.revision)
    expect(Date.parse(after.publishedAt)).toBeGreaterThan(Date.parse(before.publishedAt))
    expect((await publish("--list")).out).toMatch(new RegExp(`^\\* ${first.revision}`, "m"))
    expect((await publish("--rollback", second.revision)).status).toBe(0)
    expect(await get("staging/v1/flags")).toEqual(dist("staging.json"))
  })

  test("--keep removes what no kept revision names, and nothing else", async () => {
    const releases = [
      await release({ a: true }),
      await release({ a: false }),
      await release({ a: true }),
      await release({ b: true }),
    ]
    const documents = async (revision = "") =>
      Object.values(
        JSON.parse((await get(`manifests/${revision}.json`))?.toString() ?? '{"environments":{}}')
          .environments,
      ).map((environment) => (environment as { file: string }).file)
    const files = await Promise.all(releases.map(({ revision }) => documents(revision)))
    const { status, err } = await publish("--keep", "2")
    expect(status).toBe(0)
    expect(err).toContain("2 older revisions removed")
    expect((await publish("--list")).out.split("\n")).toHaveLength(3)
    const kept = new Set([...(files[2] ?? []), ...(files[3] ?? [])])
    for (const file of new Set(files.flat())) expect((await get(file)) !== undefined).toBe(kept.has(file))
    expect(await get(`manifests/${releases[0]?.revision}.json`)).toBeUndefined()
    expect((await publish("--rollback", releases[2]?.revision ?? "")).status).toBe(0)
    expect(await publish("--keep", "0")).toMatchObject({ status: 2 })
    expect(await publish("--list", "--keep", "1")).toMatchObject({ status: 2, out: "" })
  })
})
