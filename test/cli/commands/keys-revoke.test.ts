import { chownSync, readdirSync, statSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { testNow } from "../../test-host.ts"
import { day, digest, keyFolder, otherDigest, written } from "../keys/key-folder.ts"

const { keys, path, read, stored, write } = keyFolder()

describe("keys revoke", () => {
  test("adds one line to a key that is written in lines", async () => {
    write(written)
    const { status, out, err } = await keys("revoke web-production")
    expect({ status, out, err }).toEqual({
      status: 0,
      out: "",
      err: "keys.yaml: revoked web-production; proxies refuse it as soon as they have read the file\n",
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
    for (const after of end.endsWith("\n") ? ["", second] : [""]) {
      write(first + after)
      await keys("revoke a")
      const whole = first.trimEnd()
      const rest = (first + after).slice(whole.length + 1)
      expect(read()).toBe(`${whole}\n    revokedAt: 2026-11-21T10:00:00.000Z\n${rest}`)
      expect(stored()[0]?.revokedAt).toBe(testNow)
    }
  })

  test("twice is reported and changes nothing", async () => {
    write(written)
    await keys("revoke ci")
    const once = read()
    const before = statSync(path("keys.yaml"))
    const { status, err } = await keys("revoke ci", { now: () => testNow + day })
    expect({ status, err }).toEqual({
      status: 0,
      err: "keys.yaml: ci was already revoked; nothing has changed\n",
    })
    expect(read()).toBe(once)
    expect(statSync(path("keys.yaml")).ino).toBe(before.ino)
  })

  test.runIf(process.getuid?.() === 0)(
    "as root leaves the file to the service's user, who must read it, and so does create",
    async () => {
      write(written)
      chownSync(path("keys.yaml"), 1234, 4321)
      const owner = () => {
        const { uid, gid } = statSync(path("keys.yaml"))
        return [uid, gid]
      }
      await keys("revoke ci")
      expect([stored()[1]?.revokedAt, ...owner()]).toEqual([testNow, 1234, 4321])
      await keys("create staging")
      expect([stored().length, ...owner()]).toEqual([3, 1234, 4321])
    },
  )

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
    ["__proto__", "revoke __proto__", /^this is not a key id/],
    ["a missing file", "revoke ci --keys none.yaml", /^none\.yaml does not exist/],
  ])("refuses %s", async (_what, args, message) => {
    write(written)
    await expect(keys(args)).rejects.toThrow(message)
    expect(read()).toBe(written)
    expect(readdirSync(path())).toEqual(["keys.yaml"])
  })

  test("does not repeat a secret that was mistaken for an id", async () => {
    const { out } = await keys("create production")
    await expect(keys(`revoke ${out.trimEnd()}`)).rejects.toThrow(
      /^this is not a key id; `flagstone keys list` shows the ids$/,
    )
  })
})
