import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { Failure } from "../../../cli/failure.ts"
import { run } from "../../../cli/program.ts"
import { parseApiKey } from "../../../proxy/contract/api-key.ts"
import { maxKeyFileLength } from "../../../proxy/contract/key-file.ts"
import { buildFiles } from "../../proxy/fixtures.ts"
import { testHost, testNow } from "../../test-host.ts"
import { day, digest, keyFolder, written } from "../keys/key-folder.ts"

const { keys, modeOf, path, read, stored, write } = keyFolder()

describe("keys create", () => {
  test("makes the file, prints only the secret on stdout and stores only its digest", async () => {
    const { status, out, err } = await keys(
      "create production --id web --owner team-web --expires 90d --rate-limit 1000/100",
    )
    expect(status).toBe(0)
    const secret = out.trimEnd()
    expect(out).toBe(`${secret}\n`)
    expect(err).toBe(
      "keys.yaml: created key web for production, which expires at 2027-02-19T10:00:00.000Z; " +
        "its secret is on stdout and is not shown again\n",
    )
    expect(stored()).toEqual([
      {
        id: "web",
        environment: "production",
        for: undefined,
        flags: undefined,
        digest: parseApiKey(secret)?.digest,
        createdAt: testNow,
        notBefore: undefined,
        expiresAt: testNow + 90 * day,
        revokedAt: undefined,
        owner: "team-web",
        rateLimit: { capacity: 1000, refillPerSecond: 100 },
      },
    ])
    expect(
      read(),
    ).toBe(`# The API keys that clients use to read flags. \`flagstone keys\` creates and revokes them.
# This file has only the SHA-256 of each secret, so it can be committed and reviewed.
# Revoke keys instead of deleting them: the file then still shows who could read what, and until when.
keys:
  - id: web
    environment: production
    owner: team-web
    digest: sha256:${parseApiKey(secret)?.digest}
    createdAt: 2026-11-21T10:00:00.000Z
    expiresAt: 2027-02-19T10:00:00.000Z
    rateLimit: { capacity: 1000, refillPerSecond: 100 }
`)
    expect(modeOf("keys.yaml")).toBe("600")
    expect(readdirSync(path())).toEqual(["keys.yaml"])
  })

  test("makes a key that may do only one thing", async () => {
    const { out, err } = await keys("create production --id browser --for evaluate")
    expect(err).toMatch(
      /^keys.yaml: created key browser for production, which may only evaluate and never expires; /,
    )
    expect(read()).toMatch(/\n {4}environment: production\n {4}for: evaluate\n {4}digest: /)
    expect(stored()).toMatchObject([{ id: "browser", for: "evaluate" }])
    expect(out).toMatch(/^fsk_\w+\n$/)
    await keys("create production --id server --for read")
    await keys("create production --id both")
    expect(stored().map((key) => key.for)).toEqual(["evaluate", "read", undefined])
  })

  test("makes a key that may evaluate only some flags, and refuses invalid and useless globs", async () => {
    const { err } = await keys("create production --id page --for evaluate --flags web/** --flags checkout-*")
    expect(err).toMatch(
      /^keys.yaml: created key page for production, which may only evaluate web\/\*\*, checkout-\* and /,
    )
    expect(read()).toMatch("\n    for: evaluate\n    flags: [ web/**, checkout-* ]\n")
    expect(stored()).toMatchObject([{ id: "page", flags: ["web/**", "checkout-*"] }])
    await expect(keys("create production --flags a")).rejects.toThrow("add --for evaluate")
    await expect(keys("create production --for evaluate --flags ,")).rejects.toThrow(
      "--flags: write 1 to 100",
    )
    await expect(keys("create production --for evaluate --flags a{b}")).rejects.toThrow("--flags: write 1")
    expect(stored().length).toBe(1)
  })

  test("refuses an environment that the project beside it does not have, with a suggestion", async () => {
    mkdirSync(path("flags"))
    writeFileSync(path("flags/project.yaml"), "project: shop\nenvironments: [staging, production]\n")
    const slip =
      "project shop has no environment `prodution`; did you mean `production`? --force creates the key anyway"
    await expect(keys("create prodution")).rejects.toThrow(slip)
    expect(readdirSync(path())).toEqual(["flags"])
    expect((await keys("create prodution --force")).status).toBe(0)
    expect((await keys("create production")).status).toBe(0)
    expect((await keys("create prodution --project toys")).status).toBe(0) // whose environments are not known here
    rmSync(path("flags"), { recursive: true })
    mkdirSync(path("dist"))
    for (const [file, text] of buildFiles({ production: [] })) writeFileSync(path(`dist/${file}`), text)
    await expect(keys("create prodution")).rejects.toThrow(slip)
    expect((await keys("create production")).status).toBe(0)
  })

  test.each([
    ["beside the key file", "ops", "ops"],
    ["in dist beside the key file", "ops", "ops/dist"],
    ["in dist of the current folder", "ops", "dist"],
  ])("finds the project in a manifest %s", async (_, folder, manifest) => {
    mkdirSync(path(folder))
    mkdirSync(path(manifest), { recursive: true })
    for (const [file, text] of buildFiles({ production: [] }))
      writeFileSync(path(`${manifest}/${file}`), text)
    const at = `--keys ${folder}/keys.yaml`
    await expect(keys(`create prod ${at}`)).rejects.toThrow("project shop has no environment `prod`")
    await expect(keys(`create prod --project shop ${at}`)).rejects.toThrow("has no environment `prod`")
    expect((await keys(`create production --project shop ${at}`)).status).toBe(0)
    expect(stored(`${folder}/keys.yaml`)).toMatchObject([{ project: "shop", environment: "production" }])
  })

  test("what cannot be read as a manifest names no environment", async () => {
    write("{}", "manifest.json")
    expect((await keys("create prod")).status).toBe(0)
  })

  test("changes only the end of an existing file", async () => {
    write(written)
    const { out } = await keys("create production --id new")
    expect(read()).toBe(`${written}    - id: new
      environment: production
      digest: sha256:${parseApiKey(out.trimEnd())?.digest}
      createdAt: 2026-11-21T10:00:00.000Z
`)
  })

  test.each([
    ["CRLF", written.replaceAll("\n", "\r\n")],
    ["no newline at the end", written.trimEnd()],
    ["a byte-order mark", `\ufeff${written}`],
    ["a list that is not indented", written.replace(/^ {4}/gm, "")],
    ["a `---` on top", `---\n${written}`],
    ["YAML 1.1", `%YAML 1.1\n---\n${written}`],
  ])("keeps %s", async (_what, text) => {
    write(text)
    await keys("create production --id yes --owner yes")
    expect(read().startsWith(text)).toBe(true)
    expect(read().slice(text.length).includes("\n")).toBe(true)
    expect(read().split("\r\n").length).toBe(text.includes("\r\n") ? read().split("\n").length : 1)
    expect(stored().at(-1)).toMatchObject({ id: "yes", owner: "yes" })
    await keys("revoke yes")
    expect(read().startsWith(text)).toBe(true)
    expect(stored().at(-1)?.revokedAt).toBe(testNow)
  })

  test.each([
    "",
    "\n",
    "# none yet",
    "keys:",
    "keys:\n# none yet\n",
    "keys: []  # none yet\n",
    "keys: [\n]\n",
    "keys:\n  []\n",
    "keys: ~\n",
    "\ufeff",
  ])("begins the list in %j", async (text) => {
    write(text)
    await keys("create production")
    await keys("create production")
    expect(stored().map(({ id }) => id)).toEqual(["production-1", "production-2"])
    expect(read().includes("none yet")).toBe(text.includes("none yet"))
    expect(read().startsWith("\n")).toBe(text === "\n")
  })

  test.each(["123", "true", "null", "1e3", "0x10", "2026-11-21", "1.0"])(
    "quotes what YAML would misread: %s",
    async (id) => {
      await keys(`create ${id} --id ${id} --owner ${id}`)
      expect(stored()[0]).toMatchObject({ id, environment: id, owner: id })
    },
  )

  test.each([
    ["create production --id ci", /^keys.yaml already has a key ci; choose a different --id$/],
    ["create ../production", /^an environment's name is/],
    ["create manifest", /^an environment's name is/],
    ["create production --id fsk_web", /^--id: write a letter/],
    ["create production --id a/b", /^--id: write a letter/],
    ["create production --project a/b", /^--project: write a letter/],
    [`create production --owner ${"x".repeat(201)}`, /^--owner: write one line/],
    ["create production --owner fsk_web", /^--owner: write one line/],
    ["create production --owner a\u001bb", /^--owner: write one line/],
    ["create production --expires soon", /^--expires: write a time in the future/],
    ["create production --expires 2026-11-20", /^--expires: write a time in the future/],
    [
      "create production --keys missing/keys.yaml",
      /missing\/keys\.yaml\.lock cannot be created, because its folder does not exist; create the folder first$/,
    ],
    ["create production --keys .", /^\. cannot be read: EISDIR/],
  ])("refuses %j and changes nothing", async (args, message) => {
    write(written)
    const result = keys(args)
    await expect(result).rejects.toThrow(Failure)
    await expect(result).rejects.toThrow(message)
    expect(read()).toBe(written)
    expect(readdirSync(path())).toEqual(["keys.yaml"])
  })

  test.each([
    [
      "a list in brackets",
      `keys: [ { id: a, environment: b, digest: "sha256:${digest}", createdAt: 2026-01-01T00:00:00Z } ]`,
    ],
    ["JSON", `{"keys": []}`],
    ["an end mark", `${written}...\n`],
  ])("does not guess how to add to %s", async (_what, text) => {
    write(text)
    await expect(keys("create production")).rejects.toThrow(
      /^keys.yaml is laid out in a way that cannot be edited safely; write/,
    )
    expect(read()).toBe(text)
    expect(readdirSync(path())).toEqual(["keys.yaml"])
  })

  test("refuses to make the file longer than proxies read", async () => {
    const text = `#${"x".repeat(maxKeyFileLength - written.length - 2)}\n${written}`
    write(text)
    await expect(keys("create production")).rejects.toThrow(
      /^keys\.yaml would take 1048[67]\d\d bytes, and proxies read at most 1048576; remove keys that expired long ago$/,
    )
    expect(read()).toBe(text)
  })

  test.each([
    "a: b",
    "# c",
    "- d",
    "'e",
    '"f',
    "{g",
    " h ",
    "@i",
    "k #l",
    "Zoë 🔑",
    "x".repeat(200),
    "%YAML",
    "---",
    "? m",
  ])("takes the owner %j", async (owner) => {
    await keys(["create", "production", `--owner=${owner}`])
    expect(stored()[0]?.owner).toBe(owner)
  })

  test("says where a broken file is broken, and leaves it alone", async () => {
    write(`${written}  - id: x\n`)
    await expect(keys("create production")).rejects.toThrow(/^keys\.yaml:\d+:\d+: /)
    write("keys:\n- id: 1\n- id: 2\n")
    await expect(keys("list")).rejects.toThrow(
      /^keys\.yaml:2:3: .*\n(keys\.yaml:\d+:\d+: .*\n){4}and \d more$/,
    )
  })

  test("refuses what is not UTF-8", async () => {
    writeFileSync(path("keys.yaml"), Buffer.from([0x23, 0xff, 0x0a]))
    await expect(keys("create production")).rejects.toThrow("keys.yaml is not UTF-8 text; save it as UTF-8")
  })

  test("refuses an invalid --rate-limit", async () => {
    const host = testHost({ cwd: path() })
    expect(await run("keys create production --rate-limit 0/1".split(" "), host, "1.2.3")).toBe(2)
    expect(host.err()).toContain("Write capacity and refill per second, such as 100/10.")
    expect(readdirSync(path())).toEqual([])
  })

  test("writes a secret only to stdout", async () => {
    const secrets: string[] = []
    let said = ""
    for (let round = 0; round < 3; round++) {
      const { out, err } = await keys("create production")
      secrets.push(out.trimEnd())
      said += err
    }
    const { out, err } = await keys("verify", { stdin: secrets[0] ?? "" })
    said += out + err + (await keys("list")).out + (await keys("revoke production-1")).err + read()
    for (const secret of secrets) expect(said).not.toContain(secret.slice(4, 12))
    expect(said).not.toContain("fsk_")
  })
})

describe("the file's access", () => {
  test.each(["600", "640", "644", "664"])("keeps mode %s", async (mode) => {
    write(written)
    chmodSync(path("keys.yaml"), Number.parseInt(mode, 8))
    await keys("create production")
    expect(modeOf("keys.yaml")).toBe(mode)
    await keys("revoke ci")
    expect(modeOf("keys.yaml")).toBe(mode)
  })

  test("a folder without write access is reported", async () => {
    await expect(keys("create production --keys /proc/keys.yaml")).rejects.toThrow(
      /^\/proc\/keys\.yaml\.lock /,
    )
  })

  test("a symbolic link stays one", async () => {
    write(written, "real.yaml")
    symlinkSync("real.yaml", path("keys.yaml"))
    await keys("create production --id new")
    expect(stored("real.yaml").map(({ id }) => id)).toEqual(["web-production", "ci", "new"])
    expect(
      readdirSync(path(), { withFileTypes: true }).filter((entry) => entry.isSymbolicLink()),
    ).toHaveLength(1)
  })
})

describe("several at once", () => {
  test("no key is lost between tasks of one process", async () => {
    const done = await Promise.all(Array.from({ length: 20 }, () => keys("create production")))
    const digests = done.map(({ out }) => parseApiKey(out.trimEnd())?.digest)
    expect(
      stored()
        .map((key) => key.digest)
        .toSorted(),
    ).toEqual(digests.toSorted())
    expect(readdirSync(path())).toEqual(["keys.yaml"])
  })
})
