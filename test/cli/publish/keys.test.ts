// @module-tag slow
import { readFileSync } from "node:fs"
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
    for (const file of ["keys.yaml", "keys.yaml.sig", "manifest.json.sig"])
      expect((await fetch(addressOf(file))).headers.get("cache-control"), file).toBe("no-cache")
    const again = await publishWith(signed, "--keys", "keys.yaml")
    expect(again.err).toMatch(/nothing to send\n.*already has keys\.yaml with 1 key\n/)
    expect(writes()).toEqual([])
    await repository().flagstone(["keys", "revoke", "web"], { now: () => now + 1 })
    await publishWith(signed, "--keys", "keys.yaml")
    expect(writes()).toEqual(["PUT keys.yaml.sig", "PUT keys.yaml"])
    expect((await fileOf()).keys[0]?.revokedAt).toBe(now + 1)
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
