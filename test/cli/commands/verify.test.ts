// @module-tag system
import { execFileSync } from "node:child_process"
import { generateKeyPairSync, hash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { Failure } from "../../../cli/failure.ts"
import { readApi } from "../../../cli/verify/served.ts"
import { formatPublicKey } from "../../../proxy/contract/signature.ts"
import { startTestProxy } from "../../proxy/start-proxy.ts"
import { gitEnv } from "../../repository.ts"
import { fakeWeb } from "../publish/fake-web.ts"
import { s3Publisher } from "../publish/s3-publisher.ts"

const { s3, repository, address, build, get, publish, publishWith, release, target } = s3Publisher()
const verify = (of: string, ...args: readonly string[]) =>
  repository().flagstone(["verify", of, ...args], { env: s3().env, now: Date.now })
const { privateKey, publicKey } = generateKeyPairSync("ed25519")
const signing = {
  FLAGSTONE_SIGNING_KEY: privateKey.export({ format: "der", type: "pkcs8" }).toString("base64"),
}
const signed = ["--verify-key", formatPublicKey(publicKey)]
const commitWords = (revision: string) =>
  repository().git("log", "-1", "--abbrev=10", '--format=%h "%s" (%an, %cI)', revision).trim()
const staging = ["--environment", "staging"]

/** Changes a file at the target. */
async function put(path: string, body: string): Promise<void> {
  const headers = { "content-md5": hash("md5", body, "base64") }
  expect((await fetch(address(path), { method: "PUT", body, headers })).status).toBe(200)
}

/** Changes a built document, and what names its bytes, as someone who has the pipeline can. */
async function tamper(): Promise<void> {
  const { folder, flagstone } = repository()
  const path = join(folder, "flags/a.yaml")
  const reviewed = readFileSync(path, "utf8")
  writeFileSync(path, reviewed.replace("enabled: false", "enabled: true"))
  await flagstone(["build"])
  writeFileSync(path, reviewed)
  const manifest = join(folder, "dist/manifest.json")
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/ *"dirty": true,\n/, ""))
}

describe("a target", () => {
  test("has the flags of the commit that its set names, also after newer ones and a rollback", async () => {
    const first = await release({ a: true })
    await release({ a: false })
    await publish("--rollback", first.revision)
    const line = `${target()} has the flags of ${commitWords(first.revision)}; 1 newer commit changed flags`
    expect(await verify(target())).toMatchObject({ status: 0, out: `${line}; a rollback\n` })
    expect(repository().git("status", "--porcelain", "--ignored=no")).not.toContain("flags/")
  })

  test("has a document that nobody reviewed, with a valid signature", async () => {
    const revision = repository().commitFlags({ a: false, b: true })
    await tamper()
    expect((await publishWith(signing)).status).toBe(0)
    const { status, out } = await verify(target(), ...signed)
    expect(status).toBe(1)
    expect(out).toContain(`${target()} does not have the flags of ${revision.slice(0, 10)}`)
    expect(out).toMatch(/^ {2}`staging`: `a`: switched on; no one's value changes$/m)
    expect(out).not.toContain("`b`")
    expect(out).not.toContain("another version")
    const { out: json } = await verify(target(), "--format", "json")
    expect(JSON.parse(json)).toMatchObject({ verified: false, commit: revision, faults: [] })
    expect(JSON.parse(json).differences).toMatchObject([{ place: "staging", flag: "a" }])
  })

  test.each<readonly [string, string, () => Promise<readonly string[]>]>([
    [
      "another branch",
      "the commit is not in the first-parent history of what is checked out here",
      async () => {
        repository().commitFlags({ a: true })
        repository().git("checkout", "-q", "-b", "other")
        await release({ a: false })
        repository().git("checkout", "-q", "main")
        return []
      },
    ],
    [
      "uncommitted changes",
      "the set was built with uncommitted changes",
      async () => {
        repository().commitFlags({ a: true })
        repository().write("flags/b.yaml", "defaultValue: true\n")
        await build()
        await publish("--allow-dirty")
        return []
      },
    ],
    [
      "a repository that is not this one",
      "this clone has no commit",
      async () => {
        await release({ a: true })
        repository().git("checkout", "-q", "--orphan", "new")
        repository().write("flags/c.yaml", "defaultValue: true\n")
        repository().commit(9)
        repository().git("branch", "-qD", "main")
        repository().git("reflog", "expire", "--expire=now", "--all")
        repository().git("gc", "-q", "--prune=now")
        return []
      },
    ],
    [
      "another key",
      "the set is not signed with this key",
      async () => {
        await release({ a: true })
        return signed
      },
    ],
    [
      "a commit of a branch before it was merged",
      "the commit is not in the first-parent history",
      async () => {
        repository().commitFlags({ a: true })
        repository().git("checkout", "-q", "-b", "draft")
        await release({ a: false })
        repository().commitFlags({ a: true, b: true })
        repository().git("checkout", "-q", "main")
        repository().git("merge", "-q", "--no-ff", "draft")
        return []
      },
    ],
    [
      "files of the read API that someone changed",
      "`staging/v1/flags`: is not what the set says",
      async () => {
        await release({ a: true })
        await put("staging/v1/flags", '{"flags":[]}')
        return []
      },
    ],
    [
      "a manifest that someone damaged",
      "its manifest.json is damaged",
      async () => {
        await release({ a: true })
        await put("manifest.json", "garbage")
        return []
      },
    ],
    [
      "a manifest with a member that no one reads",
      "`manifest.json`: is not the commit's",
      async () => {
        await release({ a: true })
        const manifest = (await get("manifest.json"))?.toString() ?? ""
        await put("manifest.json", manifest.replace("{", '{ "project": "toys",'))
        return []
      },
    ],
    [
      "a manifest of another project",
      "`manifest.json`: is not the commit's, or another version of Flagstone may have built it",
      async () => {
        await release({ a: true })
        const manifest = (await get("manifest.json"))?.toString() ?? ""
        await put("manifest.json", manifest.replace('"shop"', '"evil"'))
        return []
      },
    ],
    [
      "a revision that is none",
      "the set names no commit",
      async () => {
        const { revision } = await release({ a: true })
        const manifest = (await get("manifest.json"))?.toString() ?? ""
        await put("manifest.json", manifest.replace(revision, "--all\\u0000"))
        return []
      },
    ],
  ])("has what is not to be trusted: %s", async (_, fault, prepare) => {
    const args = await prepare()
    const { status, out } = await verify(target(), ...args)
    expect([status, out]).toEqual([1, expect.stringContaining(fault)])
    const { status: same, out: json } = await verify(target(), ...args, "--format", "json")
    expect([same, JSON.parse(json)]).toMatchObject([1, { verified: false, location: target() }])
    expect(json).toContain(fault.replaceAll("`", "").replace(/^.*: /, ""))
  })
})

describe("the read API", () => {
  test("has the flags of the newest commit with its bytes, though a CDN is one revision behind", async () => {
    const first = await release({ a: true })
    await release({ b: true })
    const current = address("staging")
    expect((await verify(current, ...staging)).out).toMatch(/ has the flags of staging of [^;]*$/)
    await publish("--rollback", first.revision)
    expect(await verify(current, ...staging)).toMatchObject({
      status: 0,
      out: `${current} has the flags of staging of ${commitWords(first.revision)}; 1 newer commit changed flags\n`,
    })
    const { status, out: other } = await verify(current, ...staging, "--revision", "HEAD")
    expect(status).toBe(1)
    expect(other).toContain("`staging`: `b`: is in the commit, and not served")
    expect(await verify(address("production"), ...staging, "--revision", first.revision)).toMatchObject({
      status: 1,
    })
  })

  test("has flags of no commit, or none that can be read", async () => {
    repository().write("flags/b.yaml", "defaultValue: true\n")
    repository().commit(9) // too old for the times in the document
    repository().commitFlags({ a: false })
    await tamper()
    await publish()
    const { status, out } = await verify(address("staging"), ...staging)
    const fault = "none of the last 1 commits that change flags has these bytes"
    expect([status, out]).toEqual([1, expect.stringContaining(fault)])
    const document = (await get("staging/v1/flags"))?.toString() ?? ""
    const rule = '{"id":"r","attribute":"x","operator":"ours","value":"1","returnValue":true}'
    await put(
      "staging/v1/flags",
      document.replace('"rules":[]', `"rules":[${rule}]`).replaceAll("2020-", "2019-"),
    )
    const { out: paths } = await verify(address("staging"), ...staging)
    expect(paths).toMatch(/^ {2}`staging`: `a`: .*`environment.rules\[0\]` .*ours.* added$/m) // diff cannot read it
    expect(paths).toMatch(/^ {2}`staging`: `b`: .*`flag.updatedAt` .*2020-.* → .*2019-/m) // authors do not write it
    expect(paths).toMatch(/^ {2}`staging`: another version of Flagstone may have built it$/m)
    await put("staging/v1/flags", `{"flags":[${"[".repeat(200_000)}${"]".repeat(200_000)}]}`)
    expect((await verify(address("staging"), ...staging)).out).toContain("is not a document of flags")
  })

  test("is looked for in the last 200 commits that change flags", { tags: "slow" }, async () => {
    const { revision } = await release({ a: true })
    const commits = Array.from({ length: 200 }, (_, at) => [
      `commit refs/heads/main\ncommitter A <a@example.com> ${1_800_000_000 + at} +0000\ndata 0\n`,
      at === 0 ? "from refs/heads/main^0\n" : "",
      `M 100644 inline flags/project.yaml\ndata <<END\nbroken: ${at}\nEND\n`,
    ])
    const input = commits.flat().join("")
    execFileSync("git", ["fast-import", "--quiet"], { cwd: repository().folder, env: gitEnv, input })
    const { status, out } = await verify(address("staging"), ...staging)
    const fault = "none of the last 200 commits that change flags has these bytes"
    expect([status, out]).toEqual([1, expect.stringContaining(fault)])
    repository().git("reset", "-q", "--soft", "HEAD~1")
    expect((await verify(address("staging"), ...staging)).out).toContain(commitWords(revision))
  })

  test.each([
    ["", "set FLAGSTONE_API_KEY to a key that may read"],
    ["wrong", "the server refused the key in FLAGSTONE_API_KEY; set it to one that may read"],
  ])("that refuses the key %j is reported with what to do", async (FLAGSTONE_API_KEY, fix) => {
    repository().commitFlags({ a: true })
    const { proxy } = await startTestProxy()
    const env = { ...s3().env, FLAGSTONE_API_KEY }
    const { status, err } = await repository().flagstone(["verify", proxy.url, ...staging], { env })
    expect([status, err]).toEqual([2, `flagstone: ${proxy.url}/v1/flags returned 401: ${fix}\n`])
  })

  test.each([
    [404, "404: give the URL that clients have before /v1/flags"],
    [503, "503"], // as a proxy without this environment
  ])("that answers %d is reported, with what to do only if the URL is wrong", async (status, words) => {
    const answer = readApi("https://flags.example", "staging", undefined, fakeWeb(status).web)
    await expect(answer).rejects.toThrow(new Failure(`https://flags.example/v1/flags returned ${words}`))
  })
})

test.each(["diff", "verify site"])("%s says that a file is no flags folder", async (command) => {
  repository().commitFlags({ a: true })
  const { status, err } = await repository().flagstone([
    ...command.split(" "),
    "--flags",
    "flags/project.yaml",
  ])
  expect([status, err]).toEqual([
    2,
    expect.stringMatching(/^flagstone: no .*: name the flags folder with --flags\n$/),
  ])
})

test.each<readonly [string, string, () => void]>([
  ["nothing is there", "nothing was published there", () => repository().commitFlags({ a: true })],
  [
    "there is no commit",
    "only a clone can be compared: the git repository has no commit yet",
    () => undefined,
  ],
  [
    "the clone is shallow",
    "this clone is shallow",
    () => {
      repository().commitFlags({ a: true })
      repository().commitFlags({ a: false })
      writeFileSync(join(repository().folder, ".git/shallow"), repository().git("rev-parse", "HEAD"))
    },
  ],
])("cannot be told: %s", async (_, fault, prepare) => {
  prepare()
  const { status, err } = await verify(target())
  expect([status, err]).toEqual([2, expect.stringContaining(fault)])
  expect(await get("manifest.json")).toBeUndefined()
})
