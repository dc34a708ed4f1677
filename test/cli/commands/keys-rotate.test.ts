import { readdirSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { parseApiKey } from "../../../proxy/contract/api-key.ts"
import { testNow } from "../../test-host.ts"
import { day, digest, keyFolder, written } from "../keys/key-folder.ts"

const { keys, path, read, secretIn, stored, write } = keyFolder()
const create = "create production --id page --for evaluate --flags web/** --owner team-web --rate-limit 7/1"

/** A moment as clocks give it: not on a whole minute. */
const created = testNow + 12_345
const at = (age: number) => ({ now: () => created + age })

describe("keys rotate", () => {
  test("adds a key that may do the same, and lets the old one expire", async () => {
    await keys(`${create} --project shop`)
    const before = stored()[0]
    const { status, out, err } = await keys("rotate page --until 14d --out secret.txt")
    expect({ status, out, err }).toEqual({
      status: 0,
      out: "",
      err:
        "keys.yaml: created key page-2, which may do what page may and never expires; its secret is in secret.txt\n" +
        "keys.yaml: page expires at 2026-12-05T10:00:00.000Z; give its clients the new key before that\n",
    })
    const made = parseApiKey(secretIn("secret.txt"))?.digest
    expect(stored()).toEqual([
      { ...before, expiresAt: testNow + 14 * day },
      { ...before, id: "page-2", digest: made, createdAt: testNow },
    ])
  })

  test("adds one line to the old key, and leaves the rest of the file as it is", async () => {
    write(written)
    const { out } = await keys("rotate web-production")
    expect(out).toMatch(/^fsk_\w{49}\n$/)
    const line = "      rateLimit: {capacity: 1000,   refillPerSecond: 100}   # black week\n"
    const ended = written.replace(line, `${line}      expiresAt: 2026-11-28T10:00:00.000Z\n`)
    expect(read().startsWith(ended.trimEnd())).toBe(true)
    expect(stored().map(({ id }) => id)).toEqual(["web-production", "ci", "web-production-2"])
  })

  test.each([
    ["--expires 365d", 365],
    ["--expires 3d", 3],
  ])("a key that was created with %s gets one with the same life", async (life, days) => {
    await keys(`create production --id web ${life}`, at(0))
    const later = created + 2 * day + 5
    const { err } = await keys("rotate web", at(2 * day + 5))
    expect(err).toContain(
      `web-2, which may do what web may and expires at ${new Date(later + days * day).toISOString()}`,
    )
    const [old, made] = stored()
    expect(old?.expiresAt).toBe(Math.min(created + days * day, later + 7 * day))
    expect(made?.expiresAt).toBe(later + days * day)
  })

  test("a life begins with notBefore, and ends before the year 10000", async () => {
    write(
      written.replace(
        "2026-01-01T00:00:00.000Z }",
        "2026-01-01T00:00:00.000Z, notBefore: 2026-02-01T00:00:00.007Z, expiresAt: 2026-12-01T00:00:00.007Z }",
      ),
    )
    await keys("rotate ci")
    const life = Date.UTC(2026, 11, 1) - Date.UTC(2026, 1, 1)
    expect(stored().at(-1)?.expiresAt).toBe(testNow + life)
    await keys("create production --id long --expires 2900000d", at(0))
    await keys("rotate long", at(20_000 * day))
    expect(stored().at(-1)?.expiresAt).toBe(Date.UTC(9999, 11, 31))
  })

  test("a second key of the environment is no rotation of the first", async () => {
    await keys("create production --expires 365d", at(0))
    await keys("create production --expires 365d", at(1234))
    await keys("rotate production-1", at(2345))
    expect(stored().map(({ id, expiresAt }) => [id, expiresAt])).toEqual([
      ["production-1", created + 2345 + 7 * day],
      ["production-2", created + 1234 + 365 * day],
      ["production-3", created + 2345 + 365 * day],
    ])
  })

  test.each([
    ["a rotation ended the old one", created, "", "rotate web"],
    ["the key that replaced it has a different name", created, "", "rotate web --id phone"],
    ["a rotation ended it on a date", created, "", "rotate web --until 2027-03-01"],
    [
      "a rotation ended it on a date, and it began on a whole minute",
      testNow,
      "",
      "rotate web --until 2027-03-01",
    ],
    ["a rotation ended it within seconds", created, "", "rotate web --until 90s"],
    ["it was created until a date", created, " --expires 2027-03-01", ""],
  ])("asks when the new key ends if %s", async (_, now, life, rotation) => {
    await keys(`create production --id web${life}`, { now: () => now })
    if (rotation !== "") await keys(rotation, at(4567))
    const before = read()
    const end = new Date(stored()[0]?.expiresAt ?? 0).toISOString()
    await expect(keys("rotate web --out secret.txt", at(5678))).rejects.toThrow(
      `web already expires at ${end}; was it rotated before? Say with --expires when the new key ends`,
    )
    expect([read(), readdirSync(path())]).toEqual([before, ["keys.yaml"]])
    await keys("rotate web --expires 30d", at(5678))
    expect(stored().at(-1)?.expiresAt).toBe(created + 5678 + 30 * day)
  })

  test("a key that ends before --until keeps its end", async () => {
    await keys("create production --id web --expires 3d")
    await keys("rotate web --expires 30d")
    expect(stored().map(({ expiresAt }) => expiresAt)).toEqual([testNow + 3 * day, testNow + 30 * day])
  })

  test("a rotated key counts on: web-2, then web-3; or it is named", async () => {
    await keys("create production --id web")
    await keys("rotate web")
    await keys("rotate web-2")
    await keys("rotate web-3 --id shop")
    expect(stored().map(({ id }) => id)).toEqual(["web", "web-2", "web-3", "shop"])
  })

  test("a key that begins later is not replaced", async () => {
    write(
      written.replace(
        "2026-01-01T00:00:00.000Z }",
        "2026-01-01T00:00:00.000Z, notBefore: 2027-01-01T00:00:00Z }",
      ),
    )
    await expect(keys("rotate ci")).rejects.toThrow("ci is not valid yet, so no client uses it")
  })

  test("two rotations at once both give a key, and the old one ends", async () => {
    await keys("create production --id web")
    const commands = [
      "rotate web --expires 30d",
      "rotate web --expires 30d --until 1d",
      "rotate web --expires 9d",
    ]
    const done = await Promise.all(commands.map((command) => keys(command)))
    const digests = done.map(({ out }) => parseApiKey(out.trimEnd())?.digest)
    const [old, ...made] = stored()
    expect(made.map(({ id }) => id)).toEqual(["web-2", "web-3", "web-4"])
    expect(made.map((key) => key.digest).toSorted()).toEqual(digests.toSorted())
    expect(old?.expiresAt).toBe(testNow + day)
    expect(readdirSync(path())).toEqual(["keys.yaml"])
  })

  test.each([
    [
      "an unknown key",
      "rotate nobody",
      /^keys\.yaml has no key nobody; `flagstone keys list` shows the ids$/,
    ],
    ["a missing file", "rotate ci --keys none.yaml", /^none\.yaml does not exist/],
    ["a time in the past", "rotate ci --until 2020-01-01", /^--until: write a time in the future/],
    ["a bad end of the new key", "rotate ci --expires soon", /^--expires: write a time in the future/],
    [
      "a new key that ends with the old one",
      "rotate ci --expires 7d",
      /^--expires: the new key must outlive the old one, which ends at 2026-11-28T10:00:00.000Z; /,
    ],
    ["a bad id", "rotate ci --id a/b", /^--id: write a letter/],
    [
      "a taken id",
      "rotate ci --id web-production",
      /already has a key web-production; choose a different --id$/,
    ],
    ["the key file as --out", "rotate ci --out keys.yaml", /is the key file/],
    ["an --out that exists", "rotate ci --out taken.txt", /^taken\.txt already exists/],
  ])("refuses %s, and leaves no secret", async (_, command, message) => {
    write(written)
    write("the only copy\n", "taken.txt")
    const out = command.includes("--out") ? "" : " --out secret.txt"
    await expect(keys(command + out)).rejects.toThrow(message)
    expect([read(), read("taken.txt")]).toEqual([written, "the only copy\n"])
    expect(readdirSync(path()).toSorted()).toEqual(["keys.yaml", "taken.txt"])
  })

  test("that cannot be recorded ends no key, and leaves no secret", async () => {
    const text = `keys: [ { id: a, environment: b, digest: "sha256:${digest}", createdAt: 2026-01-01T00:00:00Z } ]`
    write(text)
    await expect(keys("rotate a --out secret.txt")).rejects.toThrow(/cannot be edited safely/)
    expect(read()).toBe(text)
    expect(readdirSync(path())).toEqual(["keys.yaml"])
  })

  test.each([
    ["revoked", "revoke page", "page is revoked, so no client uses it"],
    ["expired", "", "page is expired, so no client uses it"],
  ])("refuses a key that is %s", async (_, before, message) => {
    await keys(`${create} --expires 1d`)
    if (before !== "") await keys(before)
    await expect(keys("rotate page", { now: () => testNow + 2 * day })).rejects.toThrow(message)
    expect(stored()).toHaveLength(1)
  })

  test("does not repeat a secret that was mistaken for an id", async () => {
    const { out } = await keys("create production")
    await expect(keys(`rotate ${out.trimEnd()}`)).rejects.toThrow(/^this is not a key id; /)
  })
})
