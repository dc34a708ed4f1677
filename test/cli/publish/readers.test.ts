// @module-tag system
// @module-tag slow
import { createPrivateKey } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isSigned } from "../../../proxy/contract/signature.ts"
import { createProjectRepository, type ProjectRepository } from "../../repository.ts"
import { hasNginx, startNginx, type TestNginx } from "../../servers/nginx.ts"
import { hasVarnish, startVarnish } from "../../servers/varnish.ts"

// Requests like an SDK's to a server of a published folder. The configuration is docs/nginx.conf itself.
if (!hasNginx) console.warn("SKIPPED: reading from nginx and Varnish, because nginx is not installed")
else if (!hasVarnish) console.warn("SKIPPED: reading from Varnish, because varnish is not installed")

const shortLived = "public, max-age=30, stale-while-revalidate=3600, stale-if-error=86400"

async function publishFlags(
  flags: Readonly<Record<string, boolean>>,
  repository: ProjectRepository,
  folder: string,
  env = {},
): Promise<void> {
  repository.commitFlags(flags)
  await repository.flagstone(["build"])
  const published = await repository.flagstone(["publish", folder, "--per-flag"], { env })
  if (published.status !== 0) throw new Error(published.err)
}

describe.runIf(hasNginx)("nginx serves a published folder", () => {
  let nginx: TestNginx
  let repository: ProjectRepository
  beforeAll(async () => {
    nginx = await startNginx()
    repository = createProjectRepository()
    await release({ a: true, "b/c": true })
  })
  afterAll(() => nginx.stop())

  const release = (flags: Readonly<Record<string, boolean>>) => publishFlags(flags, repository, nginx.folder)
  const ask = async (path: string, url = nginx.url) => {
    const response = await fetch(`${url}/${path}`, { headers: { authorization: "Bearer fsk_any" } })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const dist = (file: string) => readFileSync(join(repository.folder, "dist", file), "utf8")

  test("the list, and one flag", async () => {
    const list = await ask("staging/v1/flags")
    expect(list).toMatchObject({ status: 200, text: dist("staging.json") })
    const entries = JSON.parse(list.text).flags
    for (const [key, entry] of [
      ["a", entries[0]],
      ["b/c", entries[1]],
      ["b%2Fc", entries[1]],
    ]) {
      const flag = await ask(`staging/v1/flags/${key}`)
      expect(flag).toMatchObject({ status: 200, text: JSON.stringify(entry) })
      expect(flag.headers.get("content-type")).toBe("application/json")
      expect(flag.headers.get("cache-control")).toBe(shortLived)
    }
    expect(list.headers.get("content-type")).toBe("application/json")
    expect(list.headers.get("cache-control")).toBe(shortLived)
  })

  test("a flag that does not exist", async () => {
    const { status, text, headers } = await ask("staging/v1/flags/missing")
    expect({ status, text }).toEqual({ status: 404, text: '{"error":"Flag not found"}' })
    expect(headers.get("content-type")).toBe("application/json")
    expect(headers.get("cache-control")).toBe("no-store")
  })

  test("the manifest and what it names, for proxies; and nothing else", async () => {
    const manifest = await ask("manifest.json")
    expect(manifest.headers.get("cache-control")).toBe(shortLived)
    const { file } = JSON.parse(manifest.text).environments.staging
    const document = await ask(file)
    expect(document.text).toBe(dist("staging.json"))
    expect(document.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
    const others = ["revisions.json", "404.json", "", "staging", "staging/v1/flags.json", ".publish"]
    for (const path of [...others, "keys.yaml", "keys.yaml.sig", "manifest.json.sig", "snapshots/0.json"]) {
      const { status, headers } = await ask(path)
      // Varnish would keep a 404 without a lifetime for two minutes, also after the file has been published.
      expect([path, status, headers.get("cache-control")]).toEqual([path, 404, "no-store"])
    }
  })

  test("a request with the tag gets a 304", async () => {
    const etag = (await ask("staging/v1/flags")).headers.get("etag") ?? ""
    const response = await fetch(`${nginx.url}/staging/v1/flags`, { headers: { "if-none-match": etag } })
    expect(response.status).toBe(304)
  })

  test.runIf(hasVarnish)(
    "Varnish in front keeps the list and a flag for their max-age, and every document",
    async () => {
      const varnish = await startVarnish(nginx.url)
      const askVarnish = async (path: string) => {
        const response = await fetch(`${varnish.url}/${path}`)
        const isHit = /^\d+ \d+$/.test(response.headers.get("x-varnish") ?? "")
        return { isHit, headers: response.headers, text: await response.text() }
      }
      for (const path of ["staging/v1/flags", "staging/v1/flags/a"]) {
        expect((await askVarnish(path)).isHit).toBe(false)
        const kept = await askVarnish(path)
        expect(kept).toMatchObject({ isHit: true, text: (await ask(path)).text })
        expect(kept.headers.get("content-type")).toBe("application/json")
        expect(kept.headers.get("cache-control")).toBe(shortLived)
      }
      await release({ a: false })
      expect((await askVarnish("staging/v1/flags")).isHit).toBe(true) // for max-age, readers may be behind
      const { file } = JSON.parse((await askVarnish("manifest.json")).text).environments.staging
      expect((await askVarnish(file)).text).toBe(dist("staging.json"))
      await varnish.stop()
    },
  )

  test.runIf(hasVarnish)("behind Varnish, no signature is older than its manifest", async () => {
    const [server, own] = [await startNginx(), createProjectRepository()]
    const varnish = await startVarnish(server.url)
    const env = { FLAGSTONE_SIGNING_KEY: (await own.flagstone(["keys", "signing"])).out.trim() }
    await publishFlags({ a: true }, own, server.folder, env)
    const signature = async () => (await fetch(`${varnish.url}/manifest.json.sig`)).text()
    const published = () => readFileSync(join(server.folder, "manifest.json.sig"), "utf8")
    expect(await signature()).toBe(published())
    const cached = Buffer.from(await (await fetch(`${varnish.url}/manifest.json`)).arrayBuffer())
    for (const value of [false, true, false]) await publishFlags({ a: value }, own, server.folder, env)
    expect(await signature()).toBe(published())
    const key = Buffer.from(env.FLAGSTONE_SIGNING_KEY, "base64")
    const signingKey = createPrivateKey({ key, format: "der", type: "pkcs8" })
    expect(isSigned(cached, await signature(), signingKey)).toBe(true) // three publications later
    await varnish.stop()
    await server.stop()
  })
})
