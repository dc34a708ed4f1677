import { execFile } from "node:child_process"
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { keysCommand } from "../../cli/commands/keys.ts"
import { Failure } from "../../cli/failure.ts"
import { withLockedFile } from "../../cli/keys/locked-file.ts"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import { parseKeyFile } from "../../proxy/contract/key-file.ts"
import { showsSecrets } from "../secrets/record.ts"
import { type TestHostOptions, testHost, testNow } from "../test-host.ts"

const day = 86_400_000
const digest = "5f".repeat(32)
const otherDigest = "a0".repeat(32)

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "flagstone-keys-"))
})
afterEach(() => rmSync(cwd, { recursive: true }))

/** What a command line such as `keys list` did. */
interface Done {
  readonly status: number | undefined
  readonly out: string
  readonly err: string
}

async function keys(line: string | readonly string[], options: TestHostOptions = {}): Promise<Done> {
  const args = typeof line === "string" ? line.split(" ") : line
  const host = testHost({ cwd, showsSecrets: showsSecrets(["keys", ...args]), ...options })
  let status: number | undefined
  const command = keysCommand(host, async (result) => {
    status = await result
  })
  await command.parseAsync(args, { from: "user" })
  return { status, out: host.out(), err: host.err() }
}

const read = (name = "keys.yaml") => readFileSync(join(cwd, name), "utf8")
const write = (text: string, name = "keys.yaml") => writeFileSync(join(cwd, name), text)
const modeOf = (name: string) => (statSync(join(cwd, name)).mode & 0o777).toString(8)

function stored(name = "keys.yaml") {
  const parsed = parseKeyFile(read(name))
  if (parsed.kind === "invalid") throw new Error(parsed.reason)
  return parsed.value
}

/** A file as people write it, with two keys. */
const written = `# Who may read our flags.   Ask team-platform.

keys:
    # the shop's browsers
    - id:   web-production    # do not revoke on a Friday
      environment: production
      digest: "sha256:${digest}"
      createdAt: 2026-01-01T00:00:00Z

      rateLimit: {capacity: 1000,   refillPerSecond: 100}   # black week
      # end of web-production

    - { environment: staging, id: 'ci', digest: "sha256:${otherDigest}", createdAt: 2026-01-01T00:00:00.000Z }  # nightly

# the end
`

describe("keys create", () => {
  test("makes the file, prints the secret alone on stdout and stores its digest alone", async () => {
    const { status, out, err } = await keys(
      "create production --id web --owner team-web --expires 90d --rate-limit 1000/100",
    )
    expect(status).toBe(0)
    const secret = out.trimEnd()
    expect(out).toBe(`${secret}\n`)
    expect(err).toBe(
      "keys.yaml: made key web for production, which expires at 2027-02-19T10:00:00.000Z; " +
        "its secret is on stdout and is not shown again\n",
    )
    expect(stored()).toEqual([
      {
        id: "web",
        environment: "production",
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
    ).toBe(`# The API keys that clients read flags with. \`flagstone keys\` makes and revokes them.
# Of each secret only the SHA-256 stands here: this file can be committed and reviewed.
# Revoke a key rather than delete it, and the file still says who could read what, and until when.
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
    expect(readdirSync(cwd)).toEqual(["keys.yaml"])
  })

  test("numbers the keys of an environment that get no id", async () => {
    write(written)
    for (const environment of ["production", "production", "staging"]) await keys(`create ${environment}`)
    expect(stored().map(({ id }) => id)).toEqual([
      "web-production",
      "ci",
      "production-1",
      "production-2",
      "staging-1",
    ])
    expect((await keys("create production --keys other.yaml")).err).toMatch(
      /^other.yaml: made key production-1 for production, which never expires; /,
    )
  })

  test("changes nothing of a written file but its end", async () => {
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
  })

  test.each(["123", "true", "null", "1e3", "0x10", "2026-11-21", "1.0"])(
    "quotes what YAML would misread: %s",
    async (id) => {
      await keys(`create ${id} --id ${id} --owner ${id}`)
      expect(stored()[0]).toMatchObject({ id, environment: id, owner: id })
    },
  )

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

  test.each([
    ["create production --id ci", /^keys.yaml has a key ci already; give this one another --id$/],
    ["create ../production", /^an environment's name is/],
    ["create manifest", /^an environment's name is/],
    ["create production --id fsk_web", /^--id: write a letter/],
    ["create production --id a/b", /^--id: write a letter/],
    ["create production --owner fsk_web", /^--owner: write one line/],
    ["create production --owner a\u001bb", /^--owner: write one line/],
    ["create production --expires soon", /^--expires: write a moment to come/],
    ["create production --expires 2026-11-20", /^--expires: write a moment to come/],
    [
      "create production --keys missing/keys.yaml",
      /missing\/keys\.yaml\.lock has no folder to be in; make it first$/,
    ],
    ["create production --keys .", /^\. cannot be read: EISDIR/],
  ])("refuses %j and changes nothing", async (args, message) => {
    write(written)
    const result = keys(args)
    await expect(result).rejects.toThrow(Failure)
    await expect(result).rejects.toThrow(message)
    expect(read()).toBe(written)
    expect(readdirSync(cwd)).toEqual(["keys.yaml"])
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
    expect(readdirSync(cwd)).toEqual(["keys.yaml"])
  })

  test("says where a broken file is broken, and leaves it", async () => {
    write(`${written}  - id: x\n`)
    await expect(keys("create production")).rejects.toThrow(/^keys\.yaml:\d+:\d+: /)
    write("keys:\n- id: 1\n- id: 2\n")
    await expect(keys("list")).rejects.toThrow(
      /^keys\.yaml:2:3: .*\n(keys\.yaml:\d+:\d+: .*\n){4}and \d more$/,
    )
  })

  test("refuses what is not UTF-8", async () => {
    writeFileSync(join(cwd, "keys.yaml"), Buffer.from([0x23, 0xff, 0x0a]))
    await expect(keys("create production")).rejects.toThrow("keys.yaml is not UTF-8 text; save it as UTF-8")
  })

  test("refuses an --rate-limit that is none", async () => {
    const command = keysCommand(testHost({ cwd }), async () => {})
    const create = command.commands.find((candidate) => candidate.name() === "create")
    create?.exitOverride().configureOutput({ writeErr: () => {} })
    await expect(
      command.parseAsync("create production --rate-limit 0/1".split(" "), { from: "user" }),
    ).rejects.toThrow(/Write capacity and refill per second, such as 100\/10\./)
    expect(readdirSync(cwd)).toEqual([])
  })

  test("writes no secret anywhere but on stdout", async () => {
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
    chmodSync(join(cwd, "keys.yaml"), Number.parseInt(mode, 8))
    await keys("create production")
    expect(modeOf("keys.yaml")).toBe(mode)
    await keys("revoke ci")
    expect(modeOf("keys.yaml")).toBe(mode)
  })

  test("a folder in which nobody can make files is said", async () => {
    await expect(keys("create production --keys /proc/keys.yaml")).rejects.toThrow(
      /^\/proc\/keys\.yaml\.lock /,
    )
  })

  test("a symbolic link stays one", async () => {
    write(written, "real.yaml")
    symlinkSync("real.yaml", join(cwd, "keys.yaml"))
    await keys("create production --id new")
    expect(stored("real.yaml").map(({ id }) => id)).toEqual(["web-production", "ci", "new"])
    expect(readdirSync(cwd, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink())).toHaveLength(
      1,
    )
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
    expect(readdirSync(cwd)).toEqual(["keys.yaml"])
  })

  test("no key is lost between processes", async () => {
    const host = new URL("../test-host.ts", import.meta.url)
    const command = new URL("../../cli/commands/keys-create.ts", import.meta.url)
    const script = `
      import { testHost } from ${JSON.stringify(host)}
      import { runKeysCreate } from ${JSON.stringify(command)}
      for (let round = 0; round < 5; round++) {
        const host = testHost({ cwd: process.cwd(), showsSecrets: true })
        await runKeysCreate({ environment: "production", keys: "keys.yaml" }, host)
        process.stdout.write(host.out())
      }`
    const runs = Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], { cwd }),
    )
    const secrets = (await Promise.all(runs)).flatMap(({ stdout }) => stdout.trimEnd().split("\n"))
    expect(secrets).toHaveLength(20)
    expect(
      stored()
        .map((key) => key.digest)
        .toSorted(),
    ).toEqual(secrets.map((secret) => parseApiKey(secret)?.digest).toSorted())
  }, 30_000)

  test("a lock that nobody gives back is named, with the fix, and not removed", async () => {
    write(written)
    write("", "keys.yaml.lock")
    const change = withLockedFile(join(cwd, "keys.yaml"), (replace) => replace("keys: []"), {
      attempts: 2,
      pause: 1,
    })
    await expect(change).rejects.toThrow(
      /keys\.yaml\.lock is in the way: .* when none is running, remove that file and try again$/,
    )
    expect(readdirSync(cwd)).toEqual(["keys.yaml", "keys.yaml.lock"])
    expect(read()).toBe(written)
  })
})

describe("keys list", () => {
  const several = `keys:
  - { id: a, environment: production, digest: "sha256:${"0".repeat(64)}", createdAt: 2026-01-01T00:00:00Z, owner: team-web }
  - { id: b, environment: production, digest: "sha256:${"1".repeat(64)}", createdAt: 2026-01-01T00:00:00Z, expiresAt: 2026-11-21T10:00:00Z }
  - { id: c, environment: staging, digest: "sha256:${"2".repeat(64)}", createdAt: 2026-01-01T00:00:00Z, revokedAt: 2026-02-01T00:00:00Z }
  - { id: dd, environment: staging, digest: "sha256:${"3".repeat(64)}", createdAt: 2026-01-01T00:00:00Z, notBefore: 2027-01-01T00:00:00Z, rateLimit: { capacity: 5, refillPerSecond: 1 } }
`

  test("shows a table in the order of the file", async () => {
    write(several)
    expect(await keys("list")).toEqual({
      status: 0,
      out: `ID  ENVIRONMENT  OWNER     CREATED            EXPIRES            STATE
a   production   team-web  2026-01-01T00:00Z  never              active
b   production   -         2026-01-01T00:00Z  2026-11-21T10:00Z  expired
c   staging      -         2026-01-01T00:00Z  never              revoked
dd  staging      -         2026-01-01T00:00Z  never              not yet
`,
      err: "keys.yaml: 4 keys, 1 active\n",
    })
  })

  test("shows JSON for programs, without digests", async () => {
    write(several)
    const { out } = await keys("list --format json")
    const [first, , , last] = JSON.parse(out)
    expect(first).toEqual({
      id: "a",
      project: null,
      environment: "production",
      owner: "team-web",
      createdAt: "2026-01-01T00:00:00.000Z",
      notBefore: null,
      expiresAt: null,
      revokedAt: null,
      rateLimit: null,
      state: "active",
    })
    expect(last).toMatchObject({
      notBefore: "2027-01-01T00:00:00.000Z",
      rateLimit: { capacity: 5, refillPerSecond: 1 },
      state: "not yet",
    })
    expect(out).not.toMatch(/0{64}|sha256/)
  })

  test("says that there is no key, or no file", async () => {
    write("keys: []\n")
    expect(await keys("list")).toEqual({ status: 0, out: "", err: "keys.yaml: 0 keys, 0 active\n" })
    expect((await keys("list --format json")).out).toBe("[]\n")
    await expect(keys("list --keys none.yaml")).rejects.toThrow(
      "none.yaml does not exist; `flagstone keys create <environment>` makes it",
    )
  })
})

describe("keys revoke", () => {
  test("adds one line to a key that is written in lines", async () => {
    write(written)
    const { status, out, err } = await keys("revoke web-production")
    expect({ status, out, err }).toEqual({
      status: 0,
      out: "",
      err: "keys.yaml: revoked web-production; a proxy refuses it as soon as it has read the file\n",
    })
    const line = "      rateLimit: {capacity: 1000,   refillPerSecond: 100}   # black week\n"
    expect(read()).toBe(written.replace(line, `${line}      revokedAt: 2026-11-21T10:00:00.000Z\n`))
    expect(stored().map(({ revokedAt }) => revokedAt)).toEqual([testNow, undefined])
  })

  test("adds one member to a key that is written in braces", async () => {
    write(written)
    await keys("revoke ci")
    expect(read()).toBe(
      written.replace(
        "2026-01-01T00:00:00.000Z }",
        "2026-01-01T00:00:00.000Z, revokedAt: 2026-11-21T10:00:00.000Z }",
      ),
    )
  })

  test.each([
    ["a mapping", "rateLimit:\n      capacity: 1\n      refillPerSecond: 2 # a\n"],
    ["a text of many lines", "owner: |-\n      team\n"],
    ["a folded text", "owner: >-\n      team\n      web\n\n\n"],
    ["a quoted text over two lines", 'owner: "team\n      web" # a\n'],
    ["an end without a newline", "owner: team"],
  ])("finds the end of a key that ends in %s", async (_what, end) => {
    const first = `keys:
  - id: a
    environment: production
    digest: sha256:${digest}
    createdAt: 2026-01-01T00:00:00Z
    ${end}`
    const second = `  # b
  - { id: b, environment: production, digest: "sha256:${otherDigest}", createdAt: 2026-01-01T00:00:00Z }
`
    for (const text of end.endsWith("\n") ? [first, first + second] : [first]) {
      write(text)
      await keys("revoke a")
      expect(read().replace(/ {4}revokedAt: .*\n/, "")).toBe(text.endsWith("\n") ? text : `${text}\n`)
      expect(stored()[0]?.revokedAt).toBe(testNow)
    }
  })

  test("twice is said and changes nothing", async () => {
    write(written)
    await keys("revoke ci")
    const once = read()
    const before = statSync(join(cwd, "keys.yaml"))
    const { status, err } = await keys("revoke ci", { now: () => testNow + day })
    expect({ status, err }).toEqual({
      status: 0,
      err: "keys.yaml: ci was revoked already; nothing has changed\n",
    })
    expect(read()).toBe(once)
    expect(statSync(join(cwd, "keys.yaml")).ino).toBe(before.ino)
  })

  test("brings forward a revocation that was to come", async () => {
    write(
      written.replace(
        "2026-01-01T00:00:00.000Z }",
        `2026-01-01T00:00:00.000Z, revokedAt: "2030-01-01T00:00:00Z" }`,
      ),
    )
    await keys("revoke ci")
    expect(stored()[1]?.revokedAt).toBe(testNow)
  })

  test("revokes an expired key too", async () => {
    await keys("create production --expires 1s")
    await keys("revoke production-1", { now: () => testNow + day })
    expect(stored()[0]?.revokedAt).toBe(testNow + day)
  })

  test.each([
    ["an unknown id", "revoke nobody", /^keys\.yaml has no key nobody; `flagstone keys list` shows the ids$/],
    ["__proto__", "revoke __proto__", /^this is no key id/],
    ["a missing file", "revoke ci --keys none.yaml", /^none\.yaml does not exist/],
  ])("refuses %s", async (_what, args, message) => {
    write(written)
    await expect(keys(args)).rejects.toThrow(message)
    expect(read()).toBe(written)
    expect(readdirSync(cwd)).toEqual(["keys.yaml"])
  })

  test("does not repeat a secret that was taken for an id", async () => {
    const { out } = await keys("create production")
    await expect(keys(`revoke ${out.trimEnd()}`)).rejects.toThrow(
      /^this is no key id; `flagstone keys list` shows the ids$/,
    )
  })
})

describe("keys verify", () => {
  test("knows an active key, with or without a newline after it", async () => {
    const { out } = await keys("create production --id web --owner team-web")
    for (const stdin of [out, out.trimEnd(), ` ${out.trimEnd()}\r\n`]) {
      expect(await keys("verify", { stdin })).toEqual({
        status: 0,
        out: "active: key web of production, owned by team-web\n",
        err: "",
      })
    }
  })

  test("says what became of a key", async () => {
    const { out } = await keys("create production --id web --expires 1d")
    const later = { stdin: out, now: () => testNow + day }
    expect(await keys("verify", later)).toMatchObject({ status: 1, out: "expired: key web of production\n" })
    await keys("revoke web")
    expect(await keys("verify", later)).toMatchObject({ status: 1, out: "revoked: key web of production\n" })
  })

  test("says no to a key of another file", async () => {
    const { out } = await keys("create production --keys other.yaml")
    write(written)
    expect(await keys("verify", { stdin: out })).toEqual({
      status: 1,
      out: "unknown: a well-formed API key, but none of keys.yaml\n",
      err: "",
    })
  })

  test.each([
    ["a word", "secret"],
    ["a digest", digest],
    ["two secrets", "fsk_a fsk_b"],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0])],
    ["much more than a secret", "fsk_".repeat(1_000_000)],
  ])("says no to %s and does not repeat it", async (_what, stdin) => {
    write(written)
    expect(await keys("verify", { stdin })).toEqual({
      status: 1,
      out: "not an API key: a character is missing, wrong or too many\n",
      err: "",
    })
  })

  test("asks for a secret where stdin is empty", async () => {
    write(written)
    await expect(keys("verify", { stdin: "\n" })).rejects.toThrow(/^there is no secret on stdin; /)
  })
})

test("every command's help has an example", () => {
  const command = keysCommand(testHost(), async () => {})
  for (const each of [command, ...command.commands]) {
    let help = ""
    each.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
    expect(help).toMatch(/\nExample:\n {2}\$ flagstone keys /)
  }
})
