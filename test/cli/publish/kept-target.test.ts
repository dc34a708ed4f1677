// @module-tag system
// @module-tag slow
import { hash } from "node:crypto"
import { join } from "node:path"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { spawnProxy } from "../../proxy/start-proxy.ts"
import type { ProjectRepository } from "../../repository.ts"
import { s3Publisher } from "./s3-publisher.ts"

const { address, build, dist, get, pointer, publish, publishWith, repository } = s3Publisher()

/** Where readers find the target: a different name of the same server. */
const readersUrl = () => address("").replace("127.0.0.1", "localhost").replace(/\/$/, "")

let key = { privateHalf: "", publicHalf: "" }
beforeEach(async () => {
  key = await newKey(repository())
})

async function newKey({ flagstone }: ProjectRepository) {
  const { out, err } = await flagstone(["keys", "signing"])
  return { privateHalf: out.trim(), publicHalf: /--verify-key (\S+)/.exec(err)?.[1] ?? "" }
}

const signed = (...args: readonly string[]) =>
  publishWith({ FLAGSTONE_SIGNING_KEY: key.privateHalf }, ...args)

async function commit(flags: Readonly<Record<string, boolean>>) {
  const revision = repository().commitFlags(flags)
  await build()
  return { revision, list: dist("staging.json").toString() }
}

/** Replaces a file at the target, as someone who can write there does. */
async function put(path: string, text: string): Promise<void> {
  const headers = { "content-md5": hash("md5", text, "base64") }
  const response = await fetch(address(path), { method: "PUT", body: text, headers })
  expect(response.status).toBe(200)
}

test("a proxy serves what a signed publish without --base-url rolls back to, resumes and publishes", async () => {
  const { folder, flagstone } = repository()
  const first = await commit({ a: true })
  expect(await signed("--base-url", readersUrl())).toMatchObject({ status: 0 })
  const secret = (await flagstone(["keys", "create", "staging"])).out.trim()
  const proxy = spawnProxy(readersUrl(), join(folder, "keys.yaml"), [
    ...["--verify-key", key.publicHalf, "--verify-target", readersUrl(), "--poll-interval", "50ms"],
  ])
  const url = await proxy.started()
  const expectServed = (list: string) =>
    vi.waitFor(async () => {
      const response = await fetch(`${url}/v1/flags`, { headers: { authorization: `Bearer ${secret}` } })
      expect(await response.text(), proxy.log()).toBe(list)
    }, 10_000)
  const second = await commit({ b: true })
  expect(await signed("--base-url", readersUrl())).toMatchObject({ status: 0 })
  await expectServed(second.list)

  const back = await signed("--rollback", first.revision)
  await expectServed(first.list)
  expect(back).toMatchObject({ status: 0, out: expect.stringContaining(`staging ${readersUrl()}/staging\n`) })
  expect((await signed("--rollback", first.revision)).err).toContain("nothing to send")
  expect(await signed("--rollback", first.revision, "--keys", "keys.yaml")).toMatchObject({ status: 0 })
  expect((await get("keys.yaml"))?.toString()).toContain(`target: "${readersUrl()}"`)

  expect(await signed("--resume")).toMatchObject({ status: 0 })
  const third = await commit({ c: true })
  expect(await signed()).toMatchObject({ status: 0 })
  await expectServed(third.list)
})

describe("the target that a set names", () => {
  test("changes with --base-url if --new-base-url says so, too, and is kept from then on", async () => {
    await commit({ a: true })
    await signed("--base-url", "https://old.example")
    const moved = ["--base-url", "https://new.example"]
    expect(await signed(...moved)).toMatchObject({
      status: 2,
      err: expect.stringMatching(/ with the target https:\/\/old\.example, .* add --new-base-url\n$/),
    })
    expect(await pointer()).toMatchObject({ target: "https://old.example" })
    expect(await signed(...moved, "--new-base-url")).toMatchObject({ status: 0 })
    expect(await pointer()).toMatchObject({ target: "https://new.example" })
    await commit({ b: true })
    await signed()
    expect(await pointer()).toMatchObject({ target: "https://new.example" })
  })

  test("is kept by a set without a signature, too", async () => {
    await commit({ a: true })
    await signed("--base-url", "https://flags.example")
    await commit({ b: true })
    const { status, out } = await publish("--allow-weaker")
    expect({ status, out }).toMatchObject({
      status: 0,
      out: expect.stringContaining("staging https://flags.example/staging\n"),
    })
    expect(await pointer()).toMatchObject({ target: "https://flags.example" })
    await commit({ c: true })
    await publish("--base-url", "https://new.example")
    expect(await pointer()).toMatchObject({ target: "https://new.example" })
  })

  test("is none in a set without a signature that replaces another, whatever --base-url says", async () => {
    await commit({ a: true })
    expect((await publish("--base-url", "https://flags.example")).out).toContain("https://flags.example/")
    expect(await pointer()).not.toHaveProperty("target")
    await commit({ b: true })
    await publish()
    expect(await pointer()).not.toHaveProperty("target")
    await signed()
    expect(await pointer()).toMatchObject({ target: address("").replace(/\/$/, "") })
  })
})

describe("a target that this key has not signed is not signed without --base-url", () => {
  const refusal = {
    status: 2,
    err: expect.stringMatching(
      / with the target https:\/\/\S+, which this key has not signed: .* --base-url/,
    ),
  }

  test("because whoever can write to the store could have a set signed for a different place", async () => {
    await commit({ a: true })
    await signed("--base-url", "https://flags.example")
    await put("manifest.json", JSON.stringify({ ...(await pointer()), target: "https://victim.example" }))
    const next = await commit({ b: true })
    expect(await signed()).toMatchObject(refusal)
    expect(await pointer()).toMatchObject({ target: "https://victim.example" })
    expect(await signed("--base-url", "https://flags.example", "--new-base-url")).toMatchObject({ status: 0 })
    expect(await pointer()).toMatchObject({ target: "https://flags.example", revision: next.revision })
  })

  test("because of a new key", async () => {
    await commit({ a: true })
    await signed("--base-url", "https://flags.example")
    key = await newKey(repository())
    expect(await signed()).toMatchObject(refusal)
    expect((await signed("--base-url", "https://flag.example")).err).toMatch(/ add --new-base-url\n$/)
    expect(await signed("--base-url", "https://flags.example")).toMatchObject({ status: 0 })
    expect(await signed()).toMatchObject({ status: 0, err: expect.stringContaining("nothing to send") })
  })

  test("because the manifest is damaged", async () => {
    await commit({ a: true })
    await signed("--base-url", "https://flags.example")
    await put("manifest.json", '{"formatVersion":1,')
    expect(await signed()).toMatchObject(refusal)
    expect(await signed("--base-url", "https://flags.example")).toMatchObject({ status: 0 })
    expect(await pointer()).toMatchObject({ target: "https://flags.example" })
  })

  test("unless it is the target's own address", async () => {
    await commit({ a: true })
    await signed()
    key = await newKey(repository())
    expect(await signed()).toMatchObject({ status: 0 })
    await put("manifest.json", '{"formatVersion":1,')
    expect(await signed()).toMatchObject({ status: 0 })
    expect(await pointer()).toMatchObject({ target: address("").replace(/\/$/, "") })
  })
})
