// @module-tag system
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { openTarget } from "../../../cli/publish/open-target.ts"
import { createProjectRepository, type ProjectRepository } from "../../repository.ts"
import { startS3, type TestS3 } from "../../servers/s3.ts"
import { testHost } from "../../test-host.ts"
import { open } from "./places.ts"

// What stores answer when something is wrong, and what `publish` makes of it.

let s3: TestS3
beforeAll(async () => {
  s3 = await startS3(["flags"], true, { checksSignatures: false })
})
afterAll(() => s3.stop())
beforeEach(() => {
  s3.interfere = () => undefined
})

const error = (code: string, more = "") => `<Error><Code>${code}</Code>${more}</Error>`

describe("only what the store calls absent is absent", () => {
  test.each([
    ["an unknown access key", error("XAdminUserNotFound"), "404 XAdminUserNotFound"],
    ["a missing access point", error("NoSuchAccessPoint"), "404 NoSuchAccessPoint"],
    ["a web server", "<html>not found</html>", "404; this does not look like an S3 store"],
  ])("%s", async (_, body, message) => {
    s3.interfere = () => ({ status: 404, body })
    const target = open("s3://flags", s3.env)
    await expect(target.read("manifest.json")).rejects.toThrow(message)
    await expect(target.remove("manifest.json")).rejects.toThrow(message)
    await target.close()
    const repository = createProjectRepository()
    repository.commitFlags({ a: true })
    await repository.flagstone(["build"])
    for (const args of [["--list"], ["--dry-run"], []])
      expect(await repository.flagstone(["publish", "s3://flags", ...args], { env: s3.env })).toMatchObject({
        status: 2,
        out: "",
      })
  })
})

test("https:// at a server without TLS is reported immediately", async () => {
  const pauses: number[] = []
  const host = testHost({ env: s3.env })
  const target = openTarget(s3.url.replace("http:", "https:"), {
    host,
    sleep: async (pause) => pauses.push(pause),
  })
  await expect(target.read("manifest.json")).rejects.toThrow(/ERR_SSL_\w+$/)
  expect(pauses).toEqual([])
  await target.close()
})

describe("publishing", () => {
  let repository: ProjectRepository
  beforeEach(async () => {
    repository = createProjectRepository()
    repository.commitFlags({ a: true })
    await repository.flagstone(["build"])
  })
  const publish = (name: string, env = s3.env) =>
    repository.flagstone(["publish", name], { env, now: Date.now })
  const notice = "ignores conditional writes"

  test("a refused index leaves nothing else behind", async () => {
    const from = s3.requests.length
    s3.interfere = (method) => (method === "PUT" ? 403 : undefined)
    expect((await publish("s3://flags/refused")).status).toBe(2)
    const sent = s3.requests.slice(from).filter(({ method }) => method !== "GET")
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(["PUT /flags/refused/revisions.json"])
  })

  test("the publisher's own files are never cached", async () => {
    await publish("s3://flags/kept")
    const { headers } = await fetch(`${s3.url}/flags/kept/revisions.json`)
    expect(headers.get("cache-control")).toBe("no-store")
  })

  test("a store that declines conditions is reported, one that supports them is not", async () => {
    expect((await publish("s3://flags/knows")).err).not.toContain(notice)
    s3.interfere = (method) => {
      const { headers } = s3.requests.at(-1) ?? {}
      return method === "PUT" && (headers?.["if-none-match"] || headers?.["if-match"]) ? 501 : undefined
    }
    expect(await publish("s3://flags/declines")).toMatchObject({
      status: 0,
      err: expect.stringContaining(notice),
    })
  })

  test("a store that ignores conditions is reported", async () => {
    const ignoring = await startS3(["flags"], false, { checksSignatures: false })
    expect(await publish("s3://flags/ignores", ignoring.env)).toMatchObject({
      status: 0,
      err: expect.stringContaining(notice),
    })
    await ignoring.stop()
  })
})
