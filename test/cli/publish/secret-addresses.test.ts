// @module-tag system
// @module-tag slow
import { createHmac } from "node:crypto"
import { describe, expect, test } from "vitest"
import { s3Publisher } from "./s3-publisher.ts"

const { build, dist, get, publish, publishWith, repository } = s3Publisher()

describe("addresses that no one can guess", () => {
  const secret = { FLAGSTONE_PATH_SECRET: "a-long-secret" }
  const base = (text: string, name = "staging") =>
    `${name}-${createHmac("sha256", text).update(`shop/${name}`).digest("hex").slice(0, 32)}`

  test("of earlier secrets, and plain ones, stay with --keep-addresses, and go away without", async () => {
    const list = (folder: string) => get(`${folder}/v1/flags`)
    const flag = (folder: string, key: string) => get(`${folder}/v1/flags/${key}`)
    const kept = ["staging", base("a-long-secret"), base("another")]
    const keeps = (text: string, ...args: readonly string[]) =>
      publishWith({ FLAGSTONE_PATH_SECRET: text, FLAGSTONE_KEEP_ADDRESSES: "1" }, ...args)
    repository().commitFlags({ a: true })
    await build()
    await publish("--per-flag")
    expect((await keeps("a-long-secret")).out).toContain(`/${base("a-long-secret")}\n`)
    const { out, err } = await keeps("another")
    expect(out).toContain(`/${base("another")}\n`)
    for (const folder of kept.slice(0, 2))
      expect(err).toContain(`/${folder} stays until you publish without --keep-addresses\n`)
    const revision = repository().commitFlags({ b: true })
    await build()
    await keeps("another")
    for (const folder of kept) {
      expect(await list(folder)).toEqual(dist("staging.json"))
      expect(await flag(folder, "b")).toBeDefined()
    }
    expect((await keeps("another")).err).toMatch(/stays until .*: nothing to send\n$/s)
    repository().commitFlags({ b: undefined })
    await build()
    await keeps("another")
    for (const folder of kept) expect(await flag(folder, "b")).toBeUndefined()

    expect((await publish("--rollback", revision)).status).toBe(0) // needs neither the secret nor the option
    for (const folder of kept) expect(await flag(folder, "b")).toBeDefined()
    await publish("--resume")
    const last = await publishWith({ FLAGSTONE_PATH_SECRET: "another" })
    for (const folder of kept.slice(0, 2)) {
      expect(last.err).toContain(`/${folder} goes away: --keep-addresses would keep it\n`)
      expect([await list(folder), await flag(folder, "a")]).toEqual([undefined, undefined])
    }
    expect(await list(base("another"))).toEqual(dist("staging.json"))
    expect((await publishWith({ FLAGSTONE_PATH_SECRET: "another" })).err).not.toMatch(/stays|goes away/)
  })

  test("an environment that goes away takes all its addresses with it", async () => {
    repository().commitFlags({ a: true })
    await build()
    await publishWith(secret)
    expect(await get(`${base("a-long-secret", "production")}/v1/flags`)).toBeDefined()
    repository().write("flags/project.yaml", "project: shop\nenvironments: [staging]\n")
    repository().commitFlags({ b: true })
    await build()
    const another = { FLAGSTONE_PATH_SECRET: "another" }
    expect(await publishWith(another, "--keep-addresses", "--allow-shrink")).toMatchObject({ status: 0 })
    expect(await get(`${base("a-long-secret")}/v1/flags`)).toEqual(dist("staging.json"))
    expect(await get(`${base("a-long-secret", "production")}/v1/flags`)).toBeUndefined()
  })
})
