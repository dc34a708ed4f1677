import { createHmac, hash } from "node:crypto"
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createTestApp } from "../../proxy/fixtures.ts"
import { createProjectRepository, type Outcome, type ProjectRepository } from "../../repository.ts"
import { startS3, type TestS3 } from "../../servers/s3.ts"

let s3: TestS3
let repository: ProjectRepository
let bucket = ""
let at = 0

beforeAll(async () => {
  s3 = await startS3(["flags"], true)
})
afterAll(() => s3.stop())
beforeEach(() => {
  s3.interfere = () => undefined
  repository = createProjectRepository()
  bucket = `s3://flags/${++at}`
  writes()
})

/** Commits, builds and publishes. */
async function release(
  flags: Readonly<Record<string, boolean | undefined>>,
  ...args: readonly string[]
): Promise<Outcome & { readonly revision: string }> {
  const revision = repository.commitFlags(flags)
  await build()
  return { revision, ...(await publish(...args)) }
}

async function build(): Promise<void> {
  const built = await repository.flagstone(["build"])
  if (built.status !== 0) throw new Error(built.err)
}

const publish = (...args: readonly string[]) => publishWith({}, ...args)
const publishWith = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  repository.flagstone(["publish", bucket, ...args], { env: { ...s3.env, ...env }, now: Date.now })

/** What a reader gets; `undefined`: 404. */
async function get(path: string): Promise<Buffer | undefined> {
  const response = await fetch(`${s3.url}/flags/${at}/${path}`)
  const body = Buffer.from(await response.arrayBuffer())
  return response.status === 404 ? undefined : body
}
const dist = (file: string) => readFileSync(join(repository.folder, "dist", file))
const pointer = async () => JSON.parse((await get("manifest.json"))?.toString() ?? "null")

/** The paths that were written to since the last call. */
let seen = 0
function writes(): readonly string[] {
  const since = s3.requests.slice(seen)
  seen = s3.requests.length
  return since
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path.replace(`/flags/${at}/`, "")}`)
}

describe("what readers find", () => {
  test("documents under their digests, the manifest that names them, and the API's own shape", async () => {
    const { revision, status, out, err } = await release({ a: true, "b/c": false })
    expect({ status, out }).toEqual({
      status: 0,
      out: `staging ${s3.url}/flags/${at}/staging\nproduction ${s3.url}/flags/${at}/production\n`,
    })
    expect(err).toContain(`has revision ${revision} now`)
    expect(err).toMatch(/committed \d+ (s|min|h|days).* ago; CDNs and SDKs see it within 30 s/)

    const manifest = await pointer()
    expect(manifest).toMatchObject({ project: "shop", revision, committedAt: "2026-11-21T09:00:00.000Z" })
    for (const environment of ["staging", "production"]) {
      const { file, sha256 } = manifest.environments[environment]
      expect(file).toBe(`snapshots/${sha256}.json`)
      expect(await get(file)).toEqual(dist(`${environment}.json`))
      expect(await get(`${environment}/v1/flags`)).toEqual(dist(`${environment}.json`))
    }
    const { publishedAt, ...rest } = manifest
    expect(JSON.parse((await get(`manifests/${revision}.json`))?.toString() ?? "")).toEqual(rest)
    expect(await get("staging/v1/flags/a")).toBeUndefined()
  })

  test("types and cache headers", async () => {
    const { revision } = await release({ a: true })
    const { file } = (await pointer()).environments.staging
    const headersOf = async (path: string) => {
      const { headers } = await fetch(`${s3.url}/flags/${at}/${path}`)
      return [headers.get("content-type"), headers.get("cache-control")]
    }
    for (const path of [file, `manifests/${revision}.json`])
      expect(await headersOf(path)).toEqual(["application/json", "public, max-age=31536000, immutable"])
    for (const path of ["manifest.json", "staging/v1/flags", "404.json"])
      expect(await headersOf(path)).toEqual([
        "application/json",
        "public, max-age=30, stale-while-revalidate=3600, stale-if-error=86400",
      ])
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

  test("a flag that is gone, and --no-per-flag, leave nothing behind; to forget --per-flag changes nothing", async () => {
    await release({ a: true, b: true, c: true }, "--per-flag")
    await release({ b: undefined })
    expect(await get("staging/v1/flags/a")).toBeDefined()
    expect(await get("staging/v1/flags/b")).toBeUndefined()
    await publish("--no-per-flag")
    expect(await get("staging/v1/flags/a")).toBeUndefined()
    expect(await get("staging/v1/flags")).toEqual(dist("staging.json"))
  })

  test("a key that no address can end in is refused with --per-flag alone", async () => {
    writeFileSync(join(repository.folder, "flags/x.yaml"), "key: a/../b\ndefaultValue: false\n")
    const { status, err } = await release({ a: true }, "--per-flag")
    expect(status).toBe(2)
    expect(err).toContain('the flag key "a/../b" cannot end an address')
    expect(writes()).toEqual([])
    expect((await publish()).status).toBe(0)
  })
})

describe("only what changed is sent", () => {
  test("nothing, when nothing changed", async () => {
    await release({ a: true })
    writes()
    const { status, out, err } = await publish()
    expect(status).toBe(0)
    expect(err).toContain("nothing to send")
    expect(out).toContain(`staging ${s3.url}`)
    expect(writes()).toEqual([])
  })

  test("one flag in one environment; the pointer is the last", async () => {
    await release({ a: true, b: true }, "--per-flag")
    writes()
    const { revision } = await release({ b: false }, "--per-flag")
    const sent = writes()
    const { sha256 } = (await pointer()).environments.staging
    expect(sent.toSorted()).toEqual(
      [
        `PUT snapshots/${sha256}.json`,
        `PUT manifests/${revision}.json`,
        "PUT revisions.json",
        "PUT staging/v1/flags",
        "PUT staging/v1/flags/b",
        "PUT manifest.json",
        "PUT 404.json", // on a condition that does not hold, to see whether the store knows conditions
      ].toSorted(),
    )
    expect(sent.slice(-4)).toEqual([
      "PUT staging/v1/flags/b",
      "PUT staging/v1/flags",
      "PUT manifest.json",
      "PUT 404.json",
    ])
  })

  test("a commit that changes no flag moves the pointer and nothing that readers of the API see", async () => {
    await release({ a: true })
    writes()
    await release({})
    expect(writes().filter((path) => path.includes("/v1/"))).toEqual([])
  })

  test("--dry-run lists it and sends nothing", async () => {
    const { revision, status, out } = await release({ a: true }, "--dry-run")
    expect(status).toBe(0)
    expect(out.replace(/\(\d+ bytes\)/g, "").split("\n")).toEqual(
      expect.arrayContaining([
        `+ manifests/${revision}.json `,
        "+ staging/v1/flags ",
        "+ 404.json ",
        "+ manifest.json ",
      ]),
    )
    expect(writes()).toEqual([])
    expect(await get("manifest.json")).toBeUndefined()
    await publish()
    const again = await publish("--dry-run")
    expect(again).toMatchObject({ status: 0, out: "" })
  })
})

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

  test("at any one write: readers stay on the old revision, and a second run completes", async () => {
    const first = await release({ a: true, b: true }, "--per-flag")
    const old = await state()
    repository.commitFlags({ a: false, b: undefined, n: true })
    await build()
    let failures = 0
    for (let failing = 1; ; failing++) {
      let count = 0
      s3.interfere = (method) => (method !== "GET" && ++count === failing ? 403 : undefined)
      const { status, err } = await publish("--per-flag")
      if (status === 0) break
      failures++
      expect(err).toContain(`readers have revision ${first.revision}; run the same command again`)
      expect(await state()).toEqual(old)
    }
    expect(failures).toBeGreaterThan(6)
    expect((await pointer()).revision).not.toBe(first.revision)
    expect(await get("staging/v1/flags")).toEqual(dist("staging.json"))
    expect(await get("staging/v1/flags/b")).toBeUndefined()
    expect(await get("staging/v1/flags/n")).toBeDefined()
  }, 180_000)

  test("from any write on, as when a store or a runner dies: the pointer stays, and a second run completes", async () => {
    await release({ a: true, b: true }, "--per-flag")
    let revision = ""
    let failures = 0
    for (let failing = 1; failing < 12; failing++) {
      const old = await get("manifest.json")
      revision = repository.commitFlags({
        a: failing % 2 === 0,
        [`n${failing}`]: true,
        [`n${failing - 1}`]: undefined,
      })
      await build()
      let count = 0
      s3.interfere = (method) => (method !== "GET" && ++count >= failing ? 403 : undefined)
      if ((await publish("--per-flag")).status !== 0) {
        failures++
        expect(await get("manifest.json")).toEqual(old)
      }
      s3.interfere = () => undefined
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

  test("what a revision that was cut off left behind goes away with the next, whichever that is", async () => {
    await release({ a: true }, "--per-flag")
    repository.commitFlags({ n: true })
    await build()
    let isSent = false
    s3.interfere = (method, path) => {
      if (method === "GET") return undefined
      if (path.endsWith("/n")) isSent = true
      return isSent && !path.endsWith("/n") ? 403 : method === "DELETE" ? 403 : undefined
    }
    expect((await publish("--per-flag")).status).toBe(2)
    s3.interfere = () => undefined
    expect(await get("staging/v1/flags/n")).toBeDefined()
    await release({ n: undefined, a: false }, "--per-flag")
    expect(await get("staging/v1/flags/n")).toBeUndefined()
  })

  test("a store that keeps other bytes than it was sent is found out before the pointer moves", async () => {
    await release({ a: true })
    const old = await get("manifest.json")
    repository.commitFlags({ a: false })
    await build()
    s3.interfere = async (method, path) =>
      method === "PUT" && path.endsWith("staging/v1/flags") ? 200 : undefined
    const { status, err } = await publish()
    expect(status).toBe(2)
    expect(err).toContain("staging/v1/flags reads back as something else")
    expect(await get("manifest.json")).toEqual(old)
  })
})

describe("two publishers", () => {
  test.each(["revisions.json", "staging/v1/flags", "manifest.json"])(
    "another comes in just before %s: the slower one is told, and readers have one revision",
    async (path) => {
      await release({ a: true })
      repository.commitFlags({ b: true })
      await build()
      const other = createProjectRepository()
      const winner = other.commitFlags({ a: true, c: true })
      await other.flagstone(["build"])
      let isFirst = true
      s3.interfere = async (method, asked) => {
        if (method !== "PUT" || !isFirst || asked !== `/flags/${at}/${path}`) return undefined
        isFirst = false
        const { status, err } = await other.flagstone(["publish", bucket], { env: s3.env, now: Date.now })
        if (status !== 0) throw new Error(err)
        return undefined
      }
      const { status, err } = await publish()
      expect(status).toBe(2)
      expect(err).toMatch(/another publisher was faster at .* if it is still wanted\n$/)
      expect((await pointer()).revision).toBe(winner)
      expect(await get("staging/v1/flags")).toEqual(readFileSync(join(other.folder, "dist/staging.json")))
      expect((await publish("--allow-shrink")).status).toBe(0)
      expect(await get("staging/v1/flags")).toEqual(dist("staging.json"))
    },
  )
})

describe("who prunes while another publishes a document that was needless", () => {
  /** Another publisher, whose revision has the documents of the one that `publish("--keep", "1")` prunes. */
  async function another(): Promise<() => Promise<Outcome>> {
    await release({ a: true })
    await release({ a: false })
    const other = createProjectRepository()
    other.commitFlags({ a: true })
    expect((await other.flagstone(["build"])).status).toBe(0)
    return () => other.flagstone(["publish", bucket], { env: s3.env, now: Date.now })
  }

  async function expectWhole(): Promise<void> {
    const { environments } = await pointer()
    for (const { file, sha256 } of Object.values<{ file: string; sha256: string }>(environments))
      expect(hash("sha256", (await get(file)) ?? "")).toBe(sha256)
  }

  test("puts it back where the other was faster", async () => {
    const publishOther = await another()
    let outcome: Promise<Outcome> | undefined
    s3.interfere = async (method, path) => {
      if (outcome !== undefined || method !== "DELETE" || !path.includes("/snapshots/")) return undefined
      outcome = publishOther()
      await outcome
      return undefined
    }
    const pruned = await publish("--keep", "1")
    expect(pruned).toMatchObject({
      status: 2,
      err: expect.stringContaining("another publisher came meanwhile"),
    })
    expect(await outcome).toMatchObject({ status: 0 })
    await expectWhole()
  })

  test("and is cut off has it sent again by the other", async () => {
    const publishOther = await another()
    let pruned: Promise<Outcome> | undefined
    s3.interfere = async (method, path) => {
      if (method !== "PUT" || !path.endsWith("revisions.json")) return undefined
      if (pruned !== undefined) return 403
      pruned = publish("--keep", "1")
      await pruned
      s3.interfere = () => undefined
      return undefined
    }
    expect(await publishOther()).toMatchObject({ status: 0 })
    expect(await pruned).toMatchObject({ status: 2, err: expect.stringContaining("403") })
    await expectWhole()
  })
})

describe("back again", () => {
  test("--list, --rollback by a part of the name, and the addresses stay", async () => {
    const first = await release({ a: true }, "--per-flag")
    const old = dist("staging.json")
    const second = await release({ a: false, b: true }, "--per-flag")
    const listed = await publish("--list")
    expect(listed.out).toMatch(
      new RegExp(
        `^\\* ${second.revision}  published \\S+Z  committed 2026-11-21T09:00:00.000Z  flags: staging 2, production 2\n` +
          `  ${first.revision}  published .* flags: staging 1, production 1\n$`,
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
    expect((await publish("--list")).out).toMatch(new RegExp(`^\\* ${first.revision}`))
    expect((await publish("--rollback", second.revision)).status).toBe(0)
    expect(await get("staging/v1/flags")).toEqual(dist("staging.json"))
  })

  test("a revision that is not there, and one that is damaged", async () => {
    const { revision } = await release({ a: true })
    expect(await publish("--rollback", "abc")).toMatchObject({
      status: 2,
      err: expect.stringContaining("has no revision abc"),
    })
    await release({ b: true })
    const { file } = JSON.parse((await get(`manifests/${revision}.json`))?.toString() ?? "").environments
      .staging
    await fetch(`${s3.url}/flags/${at}/${file}`, {
      method: "PUT",
      body: "{}",
      headers: { "content-md5": hash("md5", "{}", "base64") },
    })
    const { status, err } = await publish("--rollback", revision)
    expect(status).toBe(2)
    expect(err).toContain(`${file} is missing or damaged`)
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

describe("what is refused unless it is allowed", () => {
  test("what is not committed", async () => {
    const revision = repository.commitFlags({ a: true })
    appendFileSync(join(repository.folder, "flags/a.yaml"), "name: Changed\n")
    await build()
    expect(await publish()).toMatchObject({ status: 2, err: expect.stringContaining("--allow-dirty") })
    expect((await publish("--allow-dirty")).status).toBe(0)
    expect((await publish("--list")).out).toMatch(new RegExp(`^\\* ${revision}-dirty-[0-9a-f]{12} `))
    appendFileSync(join(repository.folder, "flags/a.yaml"), "description: Changed again\n")
    await build()
    expect((await publish("--allow-dirty")).status).toBe(0)
    expect((await publish("--list")).out.split("\n")).toHaveLength(3)
  })

  test("what is of no commit at all", async () => {
    repository.commitFlags({ a: true })
    rmSync(join(repository.folder, ".git"), { recursive: true })
    await build()
    expect(await publish()).toMatchObject({ status: 2, err: expect.stringContaining("is of no commit") })
    expect((await publish("--allow-dirty")).status).toBe(0)
    expect((await publish("--list")).out).toMatch(/^\* uncommitted-[0-9a-f]{12} /)
  })

  test("a shallow clone", async () => {
    repository.commitFlags({ a: true })
    repository.commitFlags({ b: true })
    const clone = createProjectRepository()
    const built = await clone.flagstone(["build"], { cwd: shallowCloneOf(repository.folder) })
    expect(built.status).toBe(1)
    const cwd = shallowCloneOf(repository.folder)
    expect((await clone.flagstone(["build", "--allow-shallow"], { cwd })).status).toBe(0)
    const options = { cwd, env: s3.env, now: Date.now }
    expect(await clone.flagstone(["publish", bucket], options)).toMatchObject({
      status: 2,
      err: expect.stringContaining("fetch-depth: 0"),
    })
    expect((await clone.flagstone(["publish", bucket, "--allow-shallow"], options)).status).toBe(0)
  })

  test.each([
    ["an empty project", { a: undefined, b: undefined, c: undefined }, "the build has no flags"],
    ["most flags gone", { a: undefined, b: undefined }, "2 of the 3 published flags are gone"],
    [
      "as many flags, but others",
      { a: undefined, b: undefined, x: true, y: true },
      "2 of the 3 published flags",
    ],
  ])("%s", async (_, flags, message) => {
    await release({ a: true, b: true, c: true })
    const { status, err } = await release(flags)
    expect(status).toBe(2)
    expect(err).toContain(message)
    expect(err).toContain("--allow-shrink")
    expect((await publish("--allow-shrink")).status).toBe(0)
  })

  test("exactly half of the flags may go", async () => {
    await release({ a: true, b: true })
    expect((await release({ a: undefined })).status).toBe(0)
  })

  test("an empty project that was never published, another project, an environment that is gone", async () => {
    expect((await release({})).err).toContain("the build has no flags")
    await release({ a: true })
    const project = join(repository.folder, "flags/project.yaml")
    writeFileSync(project, "project: shop\nenvironments: [staging]\n")
    writeFileSync(join(repository.folder, "flags/a.yaml"), "defaultValue: true\n")
    expect((await release({})).err).toContain("the build lacks the environment production")
    writeFileSync(project, "project: other\nenvironments: [staging, production]\n")
    expect((await release({})).err).toContain("has the project shop, and this is other")
  })

  test("a build that is not whole, and none at all", async () => {
    expect((await publish()).err).toContain("run flagstone build first")
    await release({ a: true })
    writeFileSync(join(repository.folder, "dist/staging.json"), '{"flags":[]}\n')
    expect((await publish()).err).toContain("is not what its manifest says")
  })
})

describe("addresses that nobody guesses", () => {
  const secret = { FLAGSTONE_PATH_SECRET: "a-long-secret" }
  const base = (text: string) =>
    `staging-${createHmac("sha256", text).update("shop/staging").digest("hex").slice(0, 32)}`

  test("are the same every time, change with the secret, and the old ones go away", async () => {
    repository.commitFlags({ a: true })
    await build()
    const first = await publishWith(secret, "--per-flag", "--base-url", "https://flags.example.com/")
    expect(first.out).toMatch(new RegExp(`^staging https://flags.example.com/${base("a-long-secret")}\n`))
    expect(await get("staging/v1/flags")).toBeUndefined()
    expect(await get(`${base("a-long-secret")}/v1/flags`)).toEqual(dist("staging.json"))
    expect((await publishWith(secret, "--per-flag")).err).toContain("nothing to send")
    await publishWith({ FLAGSTONE_PATH_SECRET: "another" }, "--per-flag")
    expect(await get(`${base("another")}/v1/flags/a`)).toBeDefined()
    expect(await get(`${base("a-long-secret")}/v1/flags`)).toBeUndefined()
    expect(await get(`${base("a-long-secret")}/v1/flags/a`)).toBeUndefined()
  })

  test("are not given up because a variable is missing, and a rollback keeps them", async () => {
    const revision = repository.commitFlags({ a: true })
    await build()
    await publishWith(secret)
    repository.commitFlags({ b: true })
    await build()
    expect(await publish()).toMatchObject({
      status: 2,
      err: expect.stringContaining("set FLAGSTONE_PATH_SECRET"),
    })
    await publishWith(secret)
    expect((await publish("--rollback", revision)).status).toBe(0)
    expect(await get("staging/v1/flags")).toBeUndefined()
    expect((await publish("--allow-weaker")).status).toBe(0)
    expect(await get("staging/v1/flags")).toEqual(dist("staging.json"))
    expect(await get(`${base("a-long-secret")}/v1/flags`)).toBeUndefined()
  })
})

test("a folder gets the same tree, but for the ending of the API's files", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "flagstone-")), "out")
  repository.commitFlags({ a: true })
  await build()
  const { out } = await repository.flagstone(["publish", folder, "--per-flag"])
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

function shallowCloneOf(cwd: string): string {
  const { execFileSync } = process.getBuiltinModule("node:child_process")
  const clone = mkdtempSync(join(tmpdir(), "flagstone-shallow-"))
  execFileSync("git", ["clone", "-q", "--depth", "1", `file://${cwd}`, clone])
  return clone
}
