// @module-tag system
// @module-tag slow
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { spawnProxy } from "../../proxy/start-proxy.ts"
import { createProjectRepository, type ProjectRepository } from "../../repository.ts"

let repository: ProjectRepository
let folder = ""
let key = { private: "", public: "" }

beforeEach(async () => {
  repository = createProjectRepository()
  folder = join(mkdtempSync(join(tmpdir(), "flagstone-")), "out")
  key = await newKey()
})

async function newKey() {
  const { status, out, err } = await repository.flagstone(["keys", "signing"])
  const [, publicKey = ""] = /--verify-key (\S+)/.exec(err) ?? []
  expect(status).toBe(0)
  expect(out).toMatch(/^[A-Za-z0-9+/]{64}\n$/)
  expect(err).not.toContain(out.trim())
  return { private: out.trim(), public: publicKey }
}

const publish = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  repository.flagstone(["publish", folder, ...args], { env, now: Date.now })
const signed = (...args: readonly string[]) => publish({ FLAGSTONE_SIGNING_KEY: key.private }, ...args)
async function release(flags: Readonly<Record<string, boolean>>): Promise<string> {
  const revision = repository.commitFlags(flags)
  await repository.flagstone(["build"])
  return revision
}
const read = (file: string) => readFileSync(join(folder, file), "utf8")
const serveCheck = async (...args: readonly string[]) => {
  await repository.flagstone(["keys", "create", "staging"])
  return repository.flagstone([
    "serve",
    "--check",
    "--snapshots",
    folder,
    "--verify-key",
    key.public,
    ...args,
  ])
}

/** Checked with OpenSSL, an independent program: for each line, whether it is a signature of the current manifest. */
function holds(file: string, publicKey = key.public): readonly boolean[] {
  writeFileSync(
    join(folder, "key.pem"),
    `-----BEGIN PUBLIC KEY-----\n${publicKey}\n-----END PUBLIC KEY-----\n`,
  )
  return read(`${file}.sig`)
    .trim()
    .split("\n")
    .map((line) => {
      writeFileSync(join(folder, "signature"), Buffer.from(line, "base64"))
      const args = ["-rawin", "-in", file, "-sigfile", "signature", "-pubin", "-inkey", "key.pem"]
      try {
        execFileSync("openssl", ["pkeyutl", "-verify", ...args], { cwd: folder, stdio: "pipe" })
        return true
      } catch {
        return false
      }
    })
}

describe("with FLAGSTONE_SIGNING_KEY", () => {
  test("the manifest's exact bytes are signed, and serve --verify-key accepts them", async () => {
    const revision = await release({ a: true })
    const { err } = await signed()
    expect(err).toContain(`signed for ${key.public}`)
    expect(err).not.toContain(key.private)
    expect(holds("manifest.json")).toEqual([true])
    expect(holds(`manifests/${revision}.json`)).toEqual([true])
    expect((await signed()).err).toContain("nothing to send")
    expect((await serveCheck()).status).toBe(0)
  })

  test("after each publication the first line is the manifest's, the second its predecessor's", async () => {
    await release({ a: true })
    await signed()
    const before = read("manifest.json")
    await release({ b: true })
    await signed()
    expect(holds("manifest.json")).toEqual([true, false])
    writeFileSync(join(folder, "manifest.json"), before)
    expect(holds("manifest.json")).toEqual([false, true])
  })

  test("a rollback is signed again, and only if this key had signed it", async () => {
    const first = await release({ a: true })
    await signed()
    await release({ b: true })
    await signed()
    expect((await publish({}, "--rollback", first)).err).toContain("set FLAGSTONE_SIGNING_KEY")
    expect((await signed("--rollback", first)).status).toBe(0)
    expect(holds("manifest.json")[0]).toBe(true)
    expect((await serveCheck()).status).toBe(0)

    const second = await release({ c: true })
    await publish({}, "--resume")
    await signed()
    const file = join(folder, "manifests", `${first}.json`)
    writeFileSync(file, readFileSync(file, "utf8").replace('"shop"', '"evil"'))
    const { status, err } = await signed("--rollback", first)
    expect(status).toBe(2)
    expect(err).toContain("is not signed by this key, so it is not signed again")
    expect(JSON.parse(read("manifest.json")).revision).toBe(second)
  })

  test.each(["2999-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"])(
    "a time that this key did not sign, %s, is not believed: who can write there could put off every later publication",
    async (time) => {
      await release({ a: true })
      await signed()
      const { publishedAt } = JSON.parse(read("manifest.json"))
      for (const file of ["manifest.json", "revisions.json"])
        writeFileSync(join(folder, file), read(file).replaceAll(publishedAt, time))
      await release({ b: true })
      expect(await signed()).toMatchObject({ status: 0 })
      expect(JSON.parse(read("manifest.json")).publishedAt < "2100").toBe(true)
      expect((await serveCheck()).status).toBe(0)
      expect((await signed()).err).toContain("nothing to send")
    },
  )

  test.each(["signed", "unsigned"])(
    "a proxy takes %s flags and keys from a publisher whose clock is behind the previous one's",
    async (kind) => {
      const isSigned = kind === "signed"
      const env = isSigned ? { FLAGSTONE_SIGNING_KEY: key.private } : {}
      const send = async (now: number) => {
        const args = ["publish", folder, "--keys", "keys.yaml"]
        expect(await repository.flagstone(args, { env, now: () => now })).toMatchObject({ status: 0 })
      }
      await release({ a: true })
      const editKeys = (...args: readonly string[]) =>
        repository.flagstone(["keys", ...args, "--keys", "keys.yaml"])
      for (const id of ["kept", "revoked"]) await editKeys("create", "staging", "--id", id)
      const now = Date.now()
      await send(now + 30_000)
      const verify = isSigned ? ["--verify-key", key.public] : []
      const proxy = spawnProxy(folder, join(folder, "keys.yaml"), ["--poll-interval", "0s", ...verify])
      await proxy.started()
      await release({ b: true })
      await editKeys("revoke", "revoked")
      await send(now)
      proxy.child.kill("SIGHUP")
      await proxy.said("snapshots re")
      await proxy.said("keys re")
      expect(proxy.log()).not.toMatch("refused")
    },
  )

  test.each(["signed", "unsigned"])(
    "two %s publications never have the same time, even if the clock stands still",
    async (kind) => {
      const env = kind === "signed" ? { FLAGSTONE_SIGNING_KEY: key.private } : {}
      const now = Date.now()
      const times: unknown[] = []
      for (const flag of ["a", "b", "c"]) {
        await release({ [flag]: true })
        expect((await repository.flagstone(["publish", folder], { env, now: () => now })).status).toBe(0)
        times.push(JSON.parse(read("manifest.json")).publishedAt)
      }
      expect(times).toEqual([now, now + 1, now + 2].map((time) => new Date(time).toISOString()))
    },
  )

  test("signing can begin, and the key can change, without a new build", async () => {
    await release({ a: true })
    await publish({})
    expect((await signed()).status).toBe(0)
    expect(holds("manifest.json")).toEqual([true])
    const old = key
    key = await newKey()
    expect((await signed()).status).toBe(0)
    expect(holds("manifest.json")[0]).toBe(true)
    expect(holds("manifest.json", old.public)[0]).toBe(false)
    expect((await serveCheck()).status).toBe(0)
  })
})

test("a damaged document is sent again", async () => {
  await release({ a: true })
  await signed()
  const { file } = JSON.parse(read("manifest.json")).environments.staging
  const bytes = read(file)
  writeFileSync(join(folder, file), bytes.slice(1))
  expect((await signed()).status).toBe(0)
  expect(read(file)).toBe(bytes)
  rmSync(join(folder, file))
  await release({ b: true })
  expect((await signed()).status).toBe(0)
  expect((await serveCheck()).status).toBe(0)
})

test("an invalid --verify-key", async () => {
  const { status, err } = await repository.flagstone(["serve", "--verify-key", "x"])
  expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining("keys signing printed") })
})

test("the signed manifest names the place where readers find it, and a proxy accepts it only from there", async () => {
  await release({ "dark-mode": true })
  const place = "https://flags.example.com/shop"
  expect((await signed("--base-url", `${place}/`)).status).toBe(0)
  expect(JSON.parse(read("manifest.json"))).toMatchObject({ project: "shop", target: place })
  expect(holds("manifest.json")).toEqual([true])
  expect((await signed("--base-url", place)).err).toMatch("nothing to send")
  expect((await serveCheck("--verify-target", `${place}/`)).status).toBe(0)
  const other = await serveCheck("--verify-target", "https://flags.example.com/toys")
  expect(other).toMatchObject({ status: 1, err: expect.stringMatching(/published to .*shop, not to .*toys/) })
})
