// @module-tag system
import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createTestApp } from "../../proxy/test-app.ts"
import { s3Publisher } from "./s3-publisher.ts"

const { address, build, dist, get, pointer, publish, release, repository } = s3Publisher()

describe("what readers find", () => {
  test("documents under their digests, the manifest that names them, and the paths of the API", {
    tags: ["slow"],
  }, async () => {
    const { revision, status, out, err } = await release({ a: true, "b/c": false })
    expect({ status, out }).toEqual({
      status: 0,
      out: `staging ${address("staging")}\nproduction ${address("production")}\n`,
    })
    expect(err).toContain(`now has revision ${revision}`)
    expect(err).toMatch(
      /committed \d+ (s|min|h|days).* ago; proxies .*have it within 2 s and notify listeners; .* adds up to 30 s/,
    )

    const manifest = await pointer()
    expect(manifest).toMatchObject({ project: "shop", revision, committedAt: "2026-11-21T09:00:00.000Z" })
    for (const environment of ["staging", "production"]) {
      const { file, sha256 } = manifest.environments[environment]
      expect(file).toBe(`snapshots/${sha256}.json`)
      expect(await get(file)).toEqual(dist(`${environment}.json`))
      expect(await get(`${environment}/v1/flags`)).toEqual(dist(`${environment}.json`))
    }
    const { publishedAt, target, ...rest } = manifest
    expect(JSON.parse((await get(`manifests/${revision}.json`))?.toString() ?? "")).toEqual(rest)
    expect(await get("staging/v1/flags/a")).toBeUndefined()
  })

  test("--per-flag: every answer is byte for byte the proxy's", async () => {
    await release({ a: true, "b/c": false, "d.e_F": true }, "--per-flag")
    const files = new Map(
      ["manifest.json", "staging.json", "production.json"].map((file) => [file, dist(file).toString()]),
    )
    const app = await createTestApp({ files })
    for (const path of ["/v1/flags", "/v1/flags/a", "/v1/flags/b/c", "/v1/flags/b%2Fc", "/v1/flags/d.e_F"]) {
      const answer = await app.ask(path)
      expect(answer.status).toBe(200)
      expect(await get(`production${path}`)).toEqual(Buffer.from(await answer.arrayBuffer()))
    }
    const missing = await app.ask("/v1/flags/missing")
    expect(await get("404.json")).toEqual(Buffer.from(await missing.arrayBuffer()))
  })

  test("a removed flag, and --no-per-flag, leave nothing behind; forgetting --per-flag changes nothing", {
    tags: ["slow"],
  }, async () => {
    await release({ a: true, b: true, c: true }, "--per-flag")
    await release({ b: undefined })
    expect(await get("staging/v1/flags/a")).toBeDefined()
    expect(await get("staging/v1/flags/b")).toBeUndefined()
    await publish("--no-per-flag")
    expect(await get("staging/v1/flags/a")).toBeUndefined()
    expect(await get("staging/v1/flags")).toEqual(dist("staging.json"))
  })
})

test("a folder gets the same tree, except for the ending of the API's files", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "flagstone-")), "out")
  repository().commitFlags({ a: true })
  await build()
  const { out } = await repository().flagstone(["publish", folder, "--per-flag"])
  expect(out).toContain(`staging ${folder}/staging\n`)
  expect(readdirSync(folder).sort()).toEqual([
    "404.json",
    "manifest.json",
    "manifests",
    "production",
    "revisions.json",
    "snapshots",
    "staging",
  ])
  expect(readFileSync(join(folder, "staging/v1/flags.json"))).toEqual(dist("staging.json"))
  expect(readdirSync(join(folder, "staging/v1/flags"))).toEqual(["a.json"])
})
