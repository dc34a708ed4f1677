// @module-tag system
import { createHmac } from "node:crypto"
import { describe, expect, test } from "vitest"
import { s3Publisher } from "./s3-publisher.ts"

const { build, dist, get, publish, publishWith, repository } = s3Publisher()

describe("addresses that no one can guess", () => {
  const secret = { FLAGSTONE_PATH_SECRET: "a-long-secret" }
  const base = (text: string) =>
    `staging-${createHmac("sha256", text).update("shop/staging").digest("hex").slice(0, 32)}`

  test("are the same every time and change with the secret; the old ones go away", async () => {
    repository().commitFlags({ a: true })
    await build()
    const first = await publishWith(secret, "--per-flag", "--base-url", "https://flags.example.com/")
    expect(first.out).toMatch(new RegExp(`^staging https://flags.example.com/${base("a-long-secret")}\n`))
    expect(await get("staging/v1/flags")).toBeUndefined()
    expect(await get(`${base("a-long-secret")}/v1/flags`)).toEqual(dist("staging.json"))
    expect((await publishWith(secret, "--per-flag")).err).toContain("nothing to send")
    await publishWith({ FLAGSTONE_PATH_SECRET: "another" }, "--per-flag")
    expect(await get(`${base("another")}/v1/flags/a`)).toBeDefined()
    expect(await get(`${base("a-long-secret")}/v1/flags`)).toBeUndefined()
    expect(await get(`${base("a-long-secret")}/v1/flags/a`)).toBeUndefined()
  })

  test("do not go away because a variable is missing, and a rollback keeps them", async () => {
    const revision = repository().commitFlags({ a: true })
    await build()
    await publishWith(secret)
    repository().commitFlags({ b: true })
    await build()
    expect(await publish()).toMatchObject({
      status: 2,
      err: expect.stringContaining("set FLAGSTONE_PATH_SECRET"),
    })
    await publishWith(secret)
    expect((await publish("--rollback", revision)).status).toBe(0)
    expect(await get("staging/v1/flags")).toBeUndefined()
    await publish("--resume")
    expect((await publish("--allow-weaker")).status).toBe(0)
    expect(await get("staging/v1/flags")).toEqual(dist("staging.json"))
    expect(await get(`${base("a-long-secret")}/v1/flags`)).toBeUndefined()
  })

  test("stay until clients have the new ones, if the old secret is given, too, and then go away", async () => {
    repository().commitFlags({ a: true })
    await build()
    await publishWith(secret, "--per-flag")
    const both = { FLAGSTONE_PATH_SECRET: "another", FLAGSTONE_OLD_PATH_SECRET: "a-long-secret" }
    const list = (text: string) => get(`${base(text)}/v1/flags`)
    expect((await publishWith(both)).out).toContain(`/${base("another")}\n`)
    const revision = repository().commitFlags({ b: true })
    await build()
    expect(await publishWith(both)).toMatchObject({ status: 0 })
    for (const text of ["another", "a-long-secret"]) {
      expect(await list(text)).toEqual(dist("staging.json"))
      expect(await get(`${base(text)}/v1/flags/b`)).toBeDefined()
    }
    expect((await publishWith(both)).err).toContain("nothing to send")
    repository().commitFlags({ b: undefined })
    await build()
    await publishWith(both)
    expect(await get(`${base("a-long-secret")}/v1/flags/b`)).toBeUndefined()
    expect((await publish("--rollback", revision)).status).toBe(0)
    expect(await list("a-long-secret")).toEqual(await list("another"))
    expect(await get(`${base("a-long-secret")}/v1/flags/b`)).toBeDefined()
    await publish("--resume")
    expect((await publishWith({ FLAGSTONE_PATH_SECRET: "another" })).status).toBe(0)
    expect(await list("another")).toEqual(dist("staging.json"))
    expect(await list("a-long-secret")).toBeUndefined()
    expect(await get(`${base("a-long-secret")}/v1/flags/a`)).toBeUndefined()
  })

  test("an old secret without a new one, or the same, is a mistake", async () => {
    repository().commitFlags({ a: true })
    await build()
    for (const env of [{}, { FLAGSTONE_PATH_SECRET: "same" }])
      expect(await publishWith({ ...env, FLAGSTONE_OLD_PATH_SECRET: "same" })).toMatchObject({
        status: 2,
        err: expect.stringContaining("FLAGSTONE_OLD_PATH_SECRET"),
      })
  })
})
