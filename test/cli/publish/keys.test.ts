// @module-tag slow
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type KeyFile, parseKeyFile } from "../../../proxy/contract/key-file.ts"
import type { TestPlace } from "../../contracts/publish-target.ts"
import { openKeyAddress } from "../../proxy/open-key-address.ts"
import { address, app, now, privateText, published, send, web } from "./key-publisher.ts"
import { kinds } from "./places.ts"
import { s3Publisher } from "./s3-publisher.ts"

describe.each(kinds)("$kind", ({ kind, start }) => {
  let place: TestPlace
  beforeAll(async () => {
    place = await start()
  })
  afterAll(() => place.stop())

  test("gets keys with their time, place and signature; the same keys are not sent again", async () => {
    const target = place.open()
    expect(await send(target, [web, app])).toBe("sent")
    expect(await published(target)).toEqual({
      file: { publishedAt: now, target: address, keys: [web, app] },
      lines: 1,
      holds: true,
    })
    expect(await send(target, [web, app], { now: now + 5 })).toBe("nothing to send")
    expect(await send(target, [web])).toBe("sent") // later, although the clock stands still
    expect(await published(target)).toMatchObject({ file: { publishedAt: now + 1 }, lines: 2, holds: true })
    const got = await place.get("keys.yaml")
    expect(got?.headers.get("cache-control")).toBe(
      /^a (folder|store in memory)/.test(kind) ? undefined : "no-cache",
    )
    await target.close()
  })
})

describe("publish --keys", () => {
  const {
    get,
    publish,
    publishWith,
    release,
    repository,
    writes,
    address: addressOf,
    s3,
    pointer,
  } = s3Publisher()
  const signed = { FLAGSTONE_SIGNING_KEY: privateText }
  const makeKey = () =>
    repository().flagstone(["keys", "create", "staging", "--id", "web"], { now: () => now })
  const fileOf = async (): Promise<KeyFile> => {
    const parsed = parseKeyFile((await get("keys.yaml"))?.toString() ?? "")
    if (parsed.kind === "invalid") throw new Error(parsed.reason)
    return parsed.value
  }

  test("sends the keys after the snapshots, the signature first, and only what changed", async () => {
    await makeKey()
    await release({ a: true })
    writes()
    const { status, err } = await publishWith(signed, "--keys", "keys.yaml")
    expect(status).toBe(0)
    expect(err).toMatch(/now has keys\.yaml with 1 key \(signed for MCow/)
    expect(err).not.toContain(privateText)
    expect(writes().slice(-2)).toEqual(["PUT keys.yaml.sig", "PUT keys.yaml"])
    expect((await fileOf()).target).toBe(addressOf("").replace(/\/$/, ""))
    const again = await publishWith(signed, "--keys", "keys.yaml")
    expect(again.err).toMatch(/nothing to send\n.*already has keys\.yaml with 1 key\n/)
    expect(writes()).toEqual([])
    await repository().flagstone(["keys", "revoke", "web"], { now: () => now + 1 })
    await publishWith(signed, "--keys", "keys.yaml")
    expect(writes()).toEqual(["PUT keys.yaml.sig", "PUT keys.yaml"])
    expect((await fileOf()).keys[0]?.revokedAt).toBe(now + 1)
  })

  test("--dry-run and --list show the keys", async () => {
    await makeKey()
    await release({ a: true })
    expect((await publish("--list")).out).not.toMatch("keys.yaml")
    const dry = await publishWith(signed, "--keys", "keys.yaml", "--dry-run")
    expect(dry.out).toMatch(/\n\+ keys\.yaml\.sig\n\+ keys\.yaml \(\d+ bytes\)\n$/)
    expect(await get("keys.yaml")).toBeUndefined()
    await publish("--keys", "keys.yaml")
    expect((await publish("--list")).out).toMatch(
      /\n {2}keys\.yaml {2}published 20\S+Z {2}1 key, not signed\n$/,
    )
    const nothing = await publish("--keys", "keys.yaml", "--dry-run")
    expect({ out: nothing.out, err: nothing.err }).toEqual({ out: "", err: "nothing to send\n" })
  })

  test("are not sent without the option, even if FLAGSTONE_KEYS names them", async () => {
    await makeKey()
    await release({ a: true })
    await publishWith({ FLAGSTONE_KEYS: "none.yaml" })
    expect(await get("keys.yaml")).toBeUndefined()
    await publishWith({ FLAGSTONE_PUBLISH_KEYS: "keys.yaml" })
    expect((await fileOf()).keys).toHaveLength(1)
  })

  test("an unsigned file instead of a signed one, a file without keys, and a missing file are refused before anything is sent", async () => {
    await makeKey()
    await release({ a: true })
    await publish("--keys", "keys.yaml")
    await publishWith(signed, "--keys", "keys.yaml")
    await publish("--allow-weaker") // the manifest alone
    writes()
    const refused = async (pattern: RegExp, ...args: readonly string[]) => {
      const { status, err } = await publish("--keys", ...args)
      expect({ status, err }).toEqual({ status: 2, err: expect.stringMatching(pattern) })
      expect(writes()).toEqual([])
    }
    await refused(/the published keys are signed; set FLAGSTONE_SIGNING_KEY/, "keys.yaml")
    await refused(/none\.yaml does not exist/, "none.yaml")
    writeFileSync(join(repository().folder, "empty.yaml"), "keys: []\n")
    await refused(/empty\.yaml has no keys, .*--allow-shrink/, "empty.yaml")
    writeFileSync(join(repository().folder, "bad.yaml"), "keys: [{}]\n")
    await refused(/bad\.yaml:1:/, "bad.yaml")
    expect((await publish("--keys", "empty.yaml", "--allow-shrink", "--allow-weaker")).status).toBe(0)
    expect((await get("keys.yaml.sig"))?.length).toBe(0)
  })

  test("a rollback sends them, too, and a prune keeps them", async () => {
    await makeKey()
    const { revision } = await release({ a: true }, "--keys", "keys.yaml")
    await release({ b: true })
    await repository().flagstone(["keys", "revoke", "web"], { now: () => now + 1 })
    expect((await publish("--rollback", revision, "--keys", "keys.yaml", "--keep", "1")).status).toBe(0)
    expect((await fileOf()).keys[0]?.revokedAt).toBe(now + 1)
  })

  test("if only the keys cannot be sent, the message says what is there", async () => {
    await makeKey()
    const { revision } = await release({ a: true })
    s3().interfere = (method, path) => (method === "PUT" && path.endsWith("/keys.yaml") ? 403 : undefined)
    const { status, err } = await release({ b: true }, "--keys", "keys.yaml")
    expect(status).toBe(2)
    expect(err).toMatch(/the snapshots are published, but the keys may not be: run the same command again/)
    expect((await pointer()).revision).not.toBe(revision)
  })

  test("a proxy reads what was sent", async () => {
    await makeKey()
    await release({ a: true }, "--keys", "keys.yaml")
    const { origin, reloader } = await openKeyAddress()
    origin.files.set("keys.yaml", (await get("keys.yaml"))?.toString() ?? "")
    expect(await reloader.read()).toMatchObject([{ id: "web" }])
    expect(readFileSync(join(repository().folder, "keys.yaml"), "utf8")).not.toMatch("publishedAt")
  })
})

describe("an environment that is removed", () => {
  const { publish, release, repository } = s3Publisher()
  const drop = "project: shop\nenvironments: [production]\n"
  const make = (id: string, ...args: readonly string[]) =>
    repository().flagstone(["keys", "create", "staging", "--id", id, ...args], { now: () => now })
  const warning = (file: string) =>
    new RegExp(`warning: staging is removed, but 1 key of ${file} can still read it \\(web\\): .*503`)

  test("is reported by publish and by diff if working keys name it, but not if only revoked ones do", async () => {
    await make("web")
    await make("old")
    await repository().flagstone(["keys", "revoke", "old"], { now: () => now })
    await release({ a: true }, "--keys", "keys.yaml")
    repository().write("flags/project.yaml", drop)
    repository().write("flags/a.yaml", "key: a\ndefaultValue: false\n")
    const at = { now: () => now }
    expect((await repository().flagstone(["diff"], at)).err).toMatch(warning("keys.yaml"))
    const missing = await repository().flagstone(["diff", "--keys", "none.yaml"], at)
    expect(missing).toMatchObject({ status: 2, err: expect.stringMatching("none.yaml does not exist") })
    repository().commit(200_000_000)
    await repository().flagstone(["build"])
    const dry = ["--allow-shrink", "--allow-older", "--dry-run"]
    expect((await publish(...dry)).err).toMatch(warning(".*/keys.yaml"))
    expect((await publish(...dry, "--keys", "keys.yaml")).err).toMatch(warning("keys.yaml"))
    await repository().flagstone(["keys", "revoke", "web"], at)
    expect((await repository().flagstone(["diff", "HEAD^"], at)).err).toBe("")
    expect((await publish(...dry, "--keys", "keys.yaml")).err).toBe("nothing was sent\n")
    repository().remove("keys.yaml")
    expect((await repository().flagstone(["diff", "HEAD^"], at)).err).toBe("")
  })
})
