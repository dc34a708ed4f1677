import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { golden } from "../../golden-page.ts"
import type { TestHostOptions } from "../../test-host.ts"
import { folderPublisher, revision } from "./folder-publisher.ts"

// Each case is a session at a shell: test/golden/publish has what the commands print.
// `npx vitest run transcripts -u` writes it; read the diff.

const { build, flagstone, path, read, remove, write } = folderPublisher()

/** The private half of a signing key, always the same for a digit. */
const signingKey = (digit: number) =>
  Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, digit)]).toString(
    "base64",
  )
const signed = (digit: number) => ({ env: { FLAGSTONE_SIGNING_KEY: signingKey(digit) } })

const shortened = (text: string) => text.replace(/x{9,}/g, (all) => `x{${all.length}}`)

/** A session, whose text is in the golden file of this name. */
function session(name: string) {
  let text = ""
  return {
    /** Runs a command and notes what it printed. */
    async run(line: string, options: TestHostOptions = {}): Promise<void> {
      const { status, out, err } = await flagstone(line.split(" "), options)
      const variables = Object.keys(options.env ?? {}).map((name) => `${name}=… `)
      const printed = `${out}${err}`
        .replaceAll(path(""), "")
        .replace(/\b([0-9a-f]{8})[0-9a-f]{56}\b/g, "$1…")
        .replace(/(\d{4})\d{36}/g, "$1…")
      text += `$ ${variables.join("")}flagstone ${shortened(line)}\n${shortened(printed)}${status === 0 ? "" : `exit ${status}\n`}`
    },
    /** Notes what else happens. */
    note(line: string): void {
      text += `# ${line}\n`
    },
    end: () => expect(text).toMatchFileSnapshot(join(golden, "publish", `${name}.txt`)),
  }
}

/** A build of these flags in both environments. */
const builds = (flags: Readonly<Record<string, string>>, digit: number, more = {}) =>
  build(
    { staging: flags, production: flags },
    { revision: revision(digit), committedAt: `2026-11-21T09:0${digit}:00.000Z`, ...more },
  )

const keyFile = (...keys: readonly (readonly [id: string, environment: string, more?: string])[]) =>
  `keys:\n${keys
    .map(
      ([id, environment, more = ""], at) =>
        `  - { id: ${id}, environment: ${environment}, digest: "sha256:${String(at).repeat(64)}", createdAt: 2026-01-01T00:00:00Z${more} }\n`,
    )
    .join("")}`

describe("publish prints", () => {
  test("what it sends, replaces and removes", async () => {
    const { run, note, end } = session("flags-with-their-own-files")
    builds({ a: "1", b: "1", "c/d": "1" }, 1)
    await run("publish site --dry-run")
    await run("publish site --dry-run --per-flag")
    await run("publish site --per-flag")
    await run("publish site")
    await run("publish site --dry-run")
    note("a changes, b goes away, e is new, in staging alone")
    build(
      { staging: { a: "2", "c/d": "1", e: "1" }, production: { a: "1", b: "1", "c/d": "1" } },
      { revision: revision(2), committedAt: "2026-11-21T09:02:00.000Z" },
    )
    await run("publish site --dry-run")
    await run("publish site")
    note("a commit that changes no flag")
    build(
      { staging: { a: "2", "c/d": "1", e: "1" }, production: { a: "1", b: "1", "c/d": "1" } },
      { revision: revision(3), committedAt: "2026-11-21T09:03:00.000Z" },
    )
    await run("publish site --dry-run")
    await run("publish site")
    await run("publish site --no-per-flag --dry-run")
    await run("publish site --no-per-flag")
    await run("publish site")
    await run("publish site --list")
    await run("publish site --keep 2")
    await run("publish site --keep 1")
    await run("publish site --list")
    await end()
  })

  test("who rolled back, and why", async () => {
    const { run, note, end } = session("a-rollback-and-its-hold")
    for (const digit of [1, 2, 3]) {
      builds({ a: `${digit}` }, digit)
      await flagstone(["publish", "site"])
    }
    await run("publish site --rollback 222 --reason slow --dry-run", { env: { USER: "ann" } })
    await run("publish site --rollback 222 --reason slow", { env: { USER: "ann" } })
    await run("publish site --list")
    note("the same again keeps who and why")
    await run("publish site --rollback 222", { env: { USER: "bob" } })
    await run("publish site --list")
    await run("publish site --rollback 222 --reason slower", {
      env: { GITHUB_ACTOR: "carla", GITLAB_USER_NAME: "dan", USER: "bob" },
    })
    await run("publish site --list")
    await run("publish site --rollback 111", { env: { GITLAB_USER_NAME: "dan", USER: "bob" } })
    await run("publish site --list")
    await run("publish site")
    await run("publish site", { env: { GITHUB_ACTIONS: "true" } })
    await run("publish site", { env: { GITHUB_ACTIONS: "false" } })
    await run("publish site --dry-run --allow-older")
    await run("publish site --resume")
    await run("publish site --resume")
    await run("publish site")
    note("the name that git would commit with, then the machine's user")
    const asked: unknown[] = []
    const answers = (stdout: string) => ({
      git: async (args: readonly string[]) => {
        asked.push(args)
        return { status: 0, stdout: Buffer.from(stdout), stderr: "" }
      },
    })
    const names: readonly TestHostOptions[] = [
      answers("Eve <E> Example <eve@example.com> 1700000000 +0100\n"),
      { env: { USERNAME: "frank" } },
      {},
      { env: { USER: "x".repeat(501) } },
      { git: () => Promise.reject(new Error("no git")), env: { USER: "grace" } },
    ]
    for (const [at, options] of names.entries()) {
      await flagstone(["publish", "site", "--rollback", at % 2 === 0 ? "111" : "222"], options)
      await run("publish site --list")
    }
    expect(asked).toEqual([["var", "GIT_COMMITTER_IDENT"]])
    await run("publish site --rollback 999")
    await end()
  })

  test("the commits of revisions that this clone has", async () => {
    const { run, end } = session("authors-and-subjects")
    for (const digit of [1, 2]) {
      builds({ a: `${digit}` }, digit)
      await flagstone(["publish", "site"])
    }
    builds({ a: "3" }, 3, { dirty: true })
    await flagstone(["publish", "site", "--allow-dirty"])
    build({ staging: { a: "4" }, production: { a: "4" } }, { revision: null, committedAt: undefined })
    await flagstone(["publish", "site", "--allow-dirty"])
    let input: unknown
    const git: TestHostOptions["git"] = async (args, options) => {
      input = [args, options.input]
      const log = [
        `${revision(2)}\nBob \u001b\nMend: a: b`,
        `${revision(3)}\nAnn\nAdd a\nflag`,
        "",
        `${"4".repeat(40)}\nEve\nx`,
      ]
      return { status: 0, stdout: Buffer.from(log.join("\0")), stderr: "" }
    }
    await run("publish site --list", { git })
    expect(input).toEqual([
      ["log", "--no-walk=unsorted", "--ignore-missing", "--stdin", "-z", "--format=%H%n%aN%n%s"],
      [3, 2, 1].map(revision).join("\n"),
    ])
    await run("publish site --list", { git: () => Promise.reject(new Error("no git")) })
    await end()
  })

  test("what becomes of keys", async () => {
    const { run, note, end } = session("keys")
    builds({ a: "1" }, 1)
    await run("publish site --keys keys.yaml")
    write("keys.yaml", keyFile(["web", "staging"], ["app", "production", ', owner: "Zoë: #1"']))
    await run("publish site --keys keys.yaml --dry-run")
    await run("publish site --keys keys.yaml")
    await run("publish site --keys keys.yaml")
    await run("publish site --keys keys.yaml --dry-run")
    await run("publish site --list")
    write("keys.yaml", keyFile(["web", "staging"]))
    await run("publish site --keys keys.yaml --dry-run")
    await run("publish site --keys keys.yaml")
    write("empty.yaml", "keys: []\n")
    await run("publish site --keys empty.yaml")
    await run("publish site --keys empty.yaml --allow-shrink")
    expect(read("site/keys.yaml")).toBe(
      "# Sent by `flagstone publish --keys`. Change the key file that it was made from.\npublishedAt: 2026-11-21T10:00:00.002Z\nkeys: []\n",
    )
    write("site/keys.yaml", "keys: [")
    await run("publish site --list")
    await run("publish site --keys keys.yaml --dry-run")
    await run("publish site --keys keys.yaml")
    note("staging is removed")
    write(
      "more.yaml",
      keyFile(
        ["one", "staging"],
        ["two", "staging"],
        ["gone", "staging", ", revokedAt: 2026-02-01T00:00:00Z"],
      ),
    )
    build({ production: { a: "1" } }, { revision: revision(2), committedAt: "2026-11-21T09:02:00.000Z" })
    await run("publish site --dry-run")
    await run("publish site --dry-run --allow-shrink")
    await run("publish site --dry-run --allow-shrink --keys more.yaml")
    await run("publish site --allow-shrink")
    note("later commands do not repeat it")
    await run("publish site")
    await end()
  })

  test("for which key and address a set is signed, and what running proxies refuse", async () => {
    const { run, note, end } = session("signatures")
    write("keys.yaml", keyFile(["web", "staging"]))
    builds({ a: "1" }, 1)
    await run("publish site", { env: { FLAGSTONE_KEYS: "none.yaml" } })
    await run("publish site", { env: { FLAGSTONE_PUBLISH_KEYS: "keys.yaml" } })
    note("signing begins")
    await run("publish site --dry-run", signed(1))
    await run("publish site", signed(1))
    await run("publish site", signed(1))
    await run("publish site --keys keys.yaml --dry-run", signed(1))
    await run("publish site --keys keys.yaml", signed(1))
    await run("publish site --list")
    note("unsigned")
    await run("publish site")
    await run("publish site --keys keys.yaml")
    builds({ a: "2" }, 2)
    await run("publish site --dry-run --base-url https://flags.example.com/", signed(1))
    await run("publish site --base-url https://flags.example.com/", signed(1))
    await run("publish site", signed(1))
    note("a new key")
    builds({ a: "3" }, 3)
    await run("publish site", signed(2))
    await run("publish site --base-url https://flags.example.com", signed(2))
    await run("publish site --keys keys.yaml", signed(2))
    note("a new address, and a revision that the new key did not sign")
    builds({ a: "4" }, 4)
    await run("publish site --base-url https://new.example.com --new-base-url", signed(2))
    await run("publish site --rollback 111", signed(2))
    await run("publish site --rollback 333", signed(2))
    await run("publish site --resume")
    note("no longer signed: first the set, then the keys")
    builds({ a: "5" }, 5)
    await run("publish site --allow-weaker --dry-run")
    await run("publish site --allow-weaker")
    await run("publish site --keys keys.yaml")
    await run("publish site --allow-weaker --keys keys.yaml --dry-run")
    await run("publish site --allow-weaker --keys keys.yaml")
    await run("publish site --list")
    await run("publish site", { env: { FLAGSTONE_SIGNING_KEY: "" } })
    await run("publish site", { env: { FLAGSTONE_SIGNING_KEY: "no key" } })
    await end()
  })

  test("what it refuses, and how to allow it", async () => {
    const { run, note, end } = session("refusals")
    await run("publish site")
    note("no flags, for the first time")
    builds({}, 3)
    await run("publish site")
    builds({ a: "1", b: "1", c: "1", d: "1" }, 3)
    await run("publish site")
    const flags = { a: "1", b: "1", c: "1", d: "1", e: "1" }
    note("uncommitted changes")
    builds(flags, 4, { dirty: true })
    await run("publish site")
    await run("publish site --allow-shallow")
    await run("publish site --allow-dirty")
    await run("publish site --list")
    note("no commit")
    builds(flags, 4, { revision: null, committedAt: undefined })
    await run("publish site --allow-shallow")
    await run("publish site --allow-dirty")
    note("a shallow clone")
    builds(flags, 5, { shallow: true })
    await run("publish site --allow-dirty")
    await run("publish site --allow-shallow")
    note("an older commit, and one of the same time")
    builds({ ...flags, a: "2" }, 4)
    await run("publish site")
    builds({ ...flags, a: "2" }, 6, { committedAt: "2026-11-21T09:05:00.000Z" })
    await run("publish site")
    builds(flags, 4)
    await run("publish site", { env: { FLAGSTONE_ALLOW_OLDER: "0" } })
    await run("publish site", { env: { FLAGSTONE_PUBLISH_ALLOW_OLDER: "1" } })
    note("two of four flags gone, then two of three in one environment")
    builds({ a: "1", b: "1", c: "1", d: "1" }, 6)
    await flagstone(["publish", "site"])
    builds({ a: "1", b: "1" }, 7, { committedAt: "2026-11-21T09:06:00.000Z" })
    await run("publish site")
    builds(flags, 6)
    await flagstone(["publish", "site"])
    build(
      { staging: flags, production: { a: "1", x: "1", y: "1" } },
      { revision: revision(7), committedAt: "2026-11-21T09:06:00.000Z" },
    )
    await run("publish site --allow-older")
    note("no flags")
    builds({}, 7)
    await run("publish site")
    note("a different project, and a missing environment")
    builds(flags, 7, { project: "toys" })
    await run("publish site")
    build({ production: flags }, { revision: revision(7), committedAt: "2026-11-21T09:07:00.000Z" })
    await run("publish site")
    await run("publish site --allow-shrink")
    note("an environment whose name a target needs")
    build({ "revisions.json": flags }, { revision: revision(8), committedAt: "2026-11-21T09:08:00.000Z" })
    await run("publish site --allow-shrink")
    note("a damaged build")
    builds(flags, 9)
    write("dist/staging.json", '{"flags":[]}\n')
    await run("publish site")
    remove("dist/staging.json")
    await run("publish site")
    write("dist/manifest.json", "{}")
    await run("publish site")
    note("another folder")
    await run("publish site --snapshots build")
    await run("publish site --snapshots dist/manifest.json")
    await end()
  })

  test("what it refuses to publish over", async () => {
    const { run, note, end } = session("targets-that-something-is-wrong-with")
    builds({ a: "1" }, 1)
    note("a manifest that publish did not write")
    write("site/manifest.json", read("dist/manifest.json"))
    await run("publish site")
    write("site/manifest.json", "{}")
    await run("publish site")
    await run("publish site --list")
    remove("site/manifest.json")
    await run("publish site")
    write("site/manifest.json", "{}")
    await run("publish site --dry-run")
    await flagstone(["publish", "site"])
    note("a damaged index")
    const index = read("site/revisions.json")
    write("site/revisions.json", '{"formatVersion":9}')
    await run("publish site")
    write("site/revisions.json", index)
    note("an old revision whose document, then whose manifest, is lost")
    builds({ a: "2" }, 2)
    await flagstone(["publish", "site"])
    const old = JSON.parse(read(`site/manifests/${revision(1)}.json`)).environments.staging.file
    remove(`site/${old}`)
    await run("publish site --rollback 111")
    remove(`site/manifests/${revision(1)}.json`)
    await run("publish site --rollback 111")
    await run("publish site --keep 1")
    note("a kept revision whose manifest is lost")
    builds({ a: "3" }, 3)
    await flagstone(["publish", "site"])
    builds({ a: "4" }, 4)
    await flagstone(["publish", "site"])
    remove(`site/manifests/${revision(3)}.json`)
    await run("publish site --keep 2")
    note("flags whose files cannot be in one folder")
    builds({ team: "1", "team.json/x": "1" }, 5)
    await run("publish site --per-flag --allow-shrink")
    await run("publish site --allow-shrink")
    await end()
  })

  test("addresses that no one can guess", async () => {
    const { run, note, end } = session("addresses-that-no-one-can-guess")
    const secret = (FLAGSTONE_PATH_SECRET: string, more = {}) => ({ env: { FLAGSTONE_PATH_SECRET, ...more } })
    const keep = { FLAGSTONE_KEEP_ADDRESSES: "true" }
    builds({ a: "1" }, 1)
    await run("publish site --per-flag")
    note("the first secret: plain addresses stay until clients have the new ones")
    await run("publish site --dry-run", secret("first"))
    await run("publish site --keep-addresses", secret("first"))
    await run("publish site", secret("first"))
    await run("publish site")
    note("a new secret beside the old one, then alone")
    await run("publish site --dry-run", secret("second", keep))
    await run("publish site", secret("second", keep))
    builds({ a: "2" }, 2)
    await run("publish site", secret("second", keep))
    await run("publish site", secret("second", keep))
    note("a rollback needs no secret")
    await run("publish site --rollback 111")
    await run("publish site --resume")
    await run("publish site", secret("second"))
    note("an empty variable is none")
    await run("publish site", secret(""))
    note("a lost index")
    remove("site/revisions.json")
    await run("publish site")
    await run("publish site", secret("second"))
    await run("publish site --allow-weaker --no-per-flag")
    await end()
  })

  test("mistakes in its options", async () => {
    const { run, end } = session("options")
    builds({ a: "1" }, 1)
    await flagstone(["publish", "site"])
    await run("publish site --reason slow")
    await run(`publish site --rollback 111 --reason ${"x".repeat(501)}`)
    await run(`publish site --rollback 111 --reason ${"x".repeat(500)}`)
    await run("publish site --resume")
    await run("publish site --rollback 111 --resume")
    await run("publish site --list --keep 1")
    await run("publish site --list --rollback 111")
    await run("publish site --list --dry-run")
    await run("publish site --resume --list")
    await run("publish site --resume --keep 1")
    await run("publish site --resume --dry-run")
    await run("publish site --resume --reason slow")
    await run("publish site --keep 0")
    await run("publish site --keep 1.5")
    await run("publish site --time-limit soon")
    await run("publish site --base-url flags.example.com")
    await run("publish site --base-url ftp://flags.example.com")
    await run(`publish site --base-url https://flags.example.com/${"x".repeat(999)}`)
    await run(`publish site --base-url https://flags.example.com/${"x".repeat(998)}`)
    for (const address of ["production", "ftp://x", "http://x:1?y", "http://x:1#y", "http://a:b@x:1", ","])
      await run(`publish site --wait ${address}`)
    for (const option of ["--list", "--dry-run", "--resume"])
      await run(`publish site --wait http://127.0.0.1:9 ${option}`)
    let monotonic = 0
    const monotonicNow = () => {
      monotonic += 60_000
      return monotonic
    }
    const [proxy, same] = ["http://127.0.0.1:9//", "http://127.0.0.1:9"]
    await run(`publish site --wait ${proxy},${same} --wait ${same}/`, { monotonicNow })
    await run("publish site --wait http://127.0.0.1:9 --time-limit 30s", { monotonicNow })
    await run("publish")
    await run("publish  --list") // an empty target
    await run("publish ftp://flags.example.com")
    await run("publish https://user:hidden@example.com")
    await run("publish https://example.com?token=hidden")
    await run("publish https://")
    await run("publish s3://flags/../x")
    await end()
  })
})
