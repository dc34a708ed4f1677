// @module-tag slow
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createSigningKeys } from "../../../cli/keys/create-signing-keys.ts"
import { planKeys, sendKeys } from "../../../cli/publish/key-plan.ts"
import { readPublishedKeys } from "../../../cli/publish/published-keys.ts"
import type { PublishTarget } from "../../../cli/publish/target.ts"
import { type KeyFile, parseKeyFile } from "../../../proxy/contract/key-file.ts"
import { isSigned, parsePrivateKey } from "../../../proxy/contract/signature.ts"
import type { TestPlace } from "../../contracts/publish-target.ts"
import { mintKey } from "../../proxy/fixtures.ts"
import { openKeyAddress } from "../../proxy/open-key-address.ts"
import { createMemoryTarget } from "../../servers/memory-target.ts"
import { kinds } from "./places.ts"
import { s3Publisher } from "./s3-publisher.ts"

function newKey() {
  const { privateKey: text } = createSigningKeys()
  const privateKey = parsePrivateKey(text)
  if (privateKey.kind === "invalid") throw new Error(privateKey.reason)
  return { text, signingKey: privateKey.value }
}

const { text: privateText, signingKey } = newKey()
const now = Date.parse("2026-11-21T10:00:00.000Z")
const address = "https://flags.example/shop"
const [web, app] = [mintKey({ id: "web" }).record, mintKey({ id: "app", owner: "Zoë: #1" }).record]

/** What a target has. */
async function published(target: PublishTarget) {
  const { stored, file, signature } = await readPublishedKeys(target)
  const text = signature?.bytes.toString() ?? ""
  return {
    file,
    lines: text.split("\n").length - 1,
    holds: isSigned(stored?.bytes ?? Buffer.alloc(0), text, signingKey),
  }
}

async function send(target: PublishTarget, keys = [web], options = {}): Promise<"sent" | "nothing to send"> {
  const plan = planKeys(keys, await readPublishedKeys(target), { signingKey, address, now, ...options })
  if (plan === undefined) return "nothing to send"
  await sendKeys(target, plan)
  return "sent"
}

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

describe("at every moment of sending", () => {
  /** A target that carries out only so many writes. */
  function cutAfter(target: PublishTarget, writes: number): PublishTarget {
    let done = 0
    return {
      ...target,
      async write(file, condition) {
        if (done++ === writes) throw new Error("the network is gone")
        return target.write(file, condition)
      },
    }
  }

  test.each([0, 1])("a proxy accepts what is there, even after only %d writes", async (writes) => {
    const target = createMemoryTarget()
    await send(target)
    await expect(send(cutAfter(target, writes), [web, app])).rejects.toThrow("the network is gone")
    expect(await published(target)).toMatchObject({ file: { keys: [web] }, holds: true })
    expect(await send(target, [web, app])).toBe("sent")
    expect(await published(target)).toMatchObject({ file: { keys: [web, app] }, lines: 2, holds: true })
  })

  test.each([true, false])(
    "of two publishers no one ends well while the keys of neither hold; conditions: %s",
    async (isConditional) => {
      let won = 0
      // Every order in which the writes of two publishers can follow each other.
      for (const order of ["AABB", "ABAB", "ABBA", "BAAB", "BABA", "BBAA"]) {
        const target = createMemoryTarget(new Map(), isConditional)
        await send(target)
        const plans = await Promise.all(
          [[app], [web, app]].map(async (keys, at) =>
            planKeys(keys, await readPublishedKeys(target), { signingKey, address, now: now + 10 + at }),
          ),
        )
        let turn = 0
        const waiting: (() => void)[] = []
        const isDone = [false, false]
        const next = () => {
          while (turn < order.length && isDone["AB".indexOf(order[turn] ?? "")]) turn++
          for (const wake of waiting.splice(0)) wake()
        }
        const publisher = (at: number): PublishTarget => ({
          ...target,
          async write(file, condition) {
            while (turn < order.length && order[turn] !== "AB"[at])
              await new Promise<void>((done) => waiting.push(done))
            const result = await target.write(file, condition)
            turn++
            next()
            return result
          },
        })
        const results = await Promise.allSettled(
          plans.map(async (plan, at) => {
            try {
              if (plan) await sendKeys(publisher(at), plan)
            } finally {
              isDone[at] = true
              next()
            }
          }),
        )
        const winners = results.filter(({ status }) => status === "fulfilled").length
        const { holds } = await published(target)
        won += winners
        if (isConditional) expect({ order, winners, holds }).toEqual({ order, winners: 1, holds: true })
        if (winners > 0) expect({ order, holds }).toEqual({ order, holds: true })
      }
      expect(won).toBeGreaterThanOrEqual(2) // if one goes after the other, there is always one
    },
  )
})

describe("a change of the signature", () => {
  test("without a key, only a published signature is replaced", async () => {
    const target = createMemoryTarget()
    const planned = async () =>
      planKeys([web], await readPublishedKeys(target), { signingKey: undefined, address: undefined, now })
    expect(await planned()).toMatchObject({ file: { path: "keys.yaml" }, signature: undefined })
    await send(target)
    expect(await planned()).toMatchObject({ signature: { path: "keys.yaml.sig", bytes: Buffer.alloc(0) } })
  })

  test("is sent even if the keys are the same: a new key, or none", async () => {
    const target = createMemoryTarget()
    await send(target)
    const other = newKey()
    expect(await send(target, [web], { signingKey: other.signingKey, now: now + 1 })).toBe("sent")
    expect((await published(target)).holds).toBe(false)
    expect(await send(target, [web], { signingKey: other.signingKey })).toBe("nothing to send")
    expect(await send(target, [web], { signingKey: undefined, address: undefined })).toBe("sent")
    expect(await published(target)).toMatchObject({ file: { keys: [web] }, lines: 0 })
    expect(await send(target, [web], { signingKey: undefined, address: undefined })).toBe("nothing to send")
  })

  test.each(["9999-12-31T23:59:59.999Z", "2999-01-01T00:00:00.000Z"])(
    "an unsigned time, %s, is not trusted: whoever can write there could block every later file",
    async (time) => {
      const target = createMemoryTarget(
        new Map([["keys.yaml", Buffer.from(`publishedAt: ${time}\nkeys: []\n`)]]),
      )
      expect(await send(target)).toBe("sent")
      expect(await published(target)).toMatchObject({ file: { publishedAt: now, keys: [web] }, holds: true })
    },
  )

  test("a damaged file is replaced", async () => {
    const files = new Map<string, Buffer>([["keys.yaml", Buffer.from("keys: [")]])
    const target = createMemoryTarget(files)
    expect(await send(target)).toBe("sent")
    expect(await published(target)).toMatchObject({ file: { keys: [web] }, holds: true })
  })
})

test("keys that would be too long when sent are refused", () => {
  const many = Array.from(
    { length: 4_000 },
    (_, at) => mintKey({ id: `key-${at}`, owner: "x".repeat(99) }).record,
  )
  const none = { stored: undefined, file: undefined, signature: undefined }
  expect(() => planKeys(many, none, { signingKey, address, now })).toThrow(
    /proxies read at most 1048576; remove keys/,
  )
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
