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
})
