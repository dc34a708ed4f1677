// @module-tag system
// @module-tag slow
import { mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { openTarget } from "../../../cli/publish/open-target.ts"
import { describePublishTarget } from "../../contracts/publish-target.ts"
import { hasNginx, startNginx } from "../../servers/nginx.ts"
import { freePort } from "../../servers/ports.ts"
import { startS3 } from "../../servers/s3.ts"
import { testHost } from "../../test-host.ts"
import { kinds, open } from "./places.ts"

for (const { kind, start } of kinds) describePublishTarget(kind, start)

test("a folder: an existing tree stays, and nothing temporary is left", async () => {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-"))
  writeFileSync(join(folder, "mine.txt"), "mine")
  writeFileSync(join(folder, ".publish-of-one-who-was-killed"), "")
  utimesSync(join(folder, ".publish-of-one-who-was-killed"), 0, 0)
  writeFileSync(join(folder, ".publish-of-one-at-work"), "")
  const target = open(folder)
  const file = { path: "p/v1/flags", bytes: Buffer.from("{}"), contentType: "", cacheControl: "" }
  await target.write(file)
  await target.write({ ...file, path: "manifest.json" }, { replaces: undefined })
  expect(readdirSync(folder).sort()).toEqual([".publish-of-one-at-work", "manifest.json", "mine.txt", "p"])
  expect(readFileSync(join(folder, "mine.txt"), "utf8")).toBe("mine")
  expect(statSync(join(folder, "manifest.json")).mode & 0o044).toBe(0o044)
})

describe("a store", () => {
  const file = {
    path: "manifest.json",
    bytes: Buffer.from("{}"),
    contentType: "application/json",
    cacheControl: "x",
  }

  test("refuses a wrong secret, and the message does not repeat it", async () => {
    const s3 = await startS3(["flags"], true)
    const target = open("s3://flags", { ...s3.env, AWS_SECRET_ACCESS_KEY: "wrong-secret" })
    const failure = await target.write(file).catch((error) => error.message)
    expect(failure).toBe(
      "PUT manifest.json: the store returned 403 SignatureDoesNotMatch; AWS_SECRET_ACCESS_KEY is probably not the secret of AWS_ACCESS_KEY_ID",
    )
    await expect(target.read("manifest.json")).rejects.toThrow(/403 SignatureDoesNotMatch;/)
    await target.close()
    await s3.stop()
  })

  test("signs the session's token, and sends the type and the cache header", async () => {
    const s3 = await startS3(["flags"], true)
    const target = open("s3://flags", { ...s3.env, AWS_SESSION_TOKEN: "a-session" })
    await target.write(file)
    const { headers } = s3.requests[0] ?? {}
    expect(headers).toMatchObject({
      "x-amz-security-token": "a-session",
      "content-type": "application/json",
      "cache-control": "x",
    })
    expect(headers?.authorization).toMatch(
      /Credential=S3RVER\/\d{8}\/eu-central-1\/s3\/aws4_request.*SignedHeaders=[a-z0-9;-]*x-amz-security-token/,
    )
    await target.close()
    await s3.stop()
  })

  test("that is busy is retried at growing intervals, but not forever", async () => {
    const s3 = await startS3(["flags"], true)
    const pauses: number[] = []
    const host = testHost({ env: s3.env, now: Date.now, random: () => 0.5 })
    const target = openTarget("s3://flags", { host, sleep: async (pause) => pauses.push(pause) })
    s3.interfere = () => (s3.requests.length < 3 ? 503 : undefined)
    await target.write(file)
    expect(pauses).toEqual([200, 400])
    s3.interfere = () => 503
    await expect(target.read("manifest.json")).rejects.toThrow("the store returned 503")
    expect(pauses).toEqual([200, 400, 200, 400, 800, 1600, 3200])
    await target.close()
    await s3.stop()
  })

  test("that rejects conditions is written to without them", async () => {
    const s3 = await startS3(["flags"], false)
    const target = open("s3://flags", s3.env)
    s3.interfere = () => (s3.requests.at(-1)?.headers["if-none-match"] === undefined ? undefined : 501)
    expect(await target.write(file, { replaces: undefined })).toBe("written")
    await target.close()
    await s3.stop()
  })

  test("without a bucket, and with one that does not exist", async () => {
    const s3 = await startS3(["flags"], true)
    const target = open("s3://other", s3.env)
    await expect(target.read("manifest.json")).rejects.toThrow("404 NoSuchBucket")
    await s3.stop()
    await expect(target.read("manifest.json")).rejects.toThrow("ECONNREFUSED")
    await target.close()
  })
})

test.each([
  ["ftp://x", /a folder, s3:\/\/bucket\/prefix or https/],
  ["s3://", /s3:\/\/bucket\/prefix/],
  ["s3://flags/../x", /s3:\/\/bucket\/prefix/],
  ["s3://fl/shop", /3 to 63 lower-case letters/],
  ["s3://Flags/shop", /3 to 63 lower-case letters/],
  ["s3://flags/x", /AWS_ACCESS_KEY_ID/],
  ["https://user:hidden@example.com", /FLAGSTONE_PUBLISH_AUTHORIZATION/],
  ["https://example.com?token=hidden", /FLAGSTONE_PUBLISH_AUTHORIZATION/],
  ["https://", /not valid/],
])("%s is refused with the fix", (name, message) => {
  expect(() => open(name)).toThrow(message)
  expect(() => open(name)).not.toThrow(/hidden/)
})

test.each([
  ["AWS_ACCESS_KEY_ID", "s3://flags", { AWS_ACCESS_KEY_ID: "hidden\n", AWS_SECRET_ACCESS_KEY: "b" }],
  [
    "AWS_SESSION_TOKEN",
    "s3://flags",
    { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_SESSION_TOKEN: "hidden\n" },
  ],
  [
    "FLAGSTONE_PUBLISH_AUTHORIZATION",
    "https://example.com",
    { FLAGSTONE_PUBLISH_AUTHORIZATION: "Bearer hidden\nX: y" },
  ],
])("%s that no header can hold is named, and not repeated", (variable, name, env) => {
  expect(() => open(name, env)).toThrow(`${variable} cannot be sent in a header`)
  expect(() => open(name, env)).not.toThrow(/hidden/)
})

test.each(["ftp://example.com", "http://user:hidden@example.com", "https://example.com/?hidden", "hidden"])(
  "a store at %s is refused, and the address not repeated",
  (address) => {
    const env = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_ENDPOINT_URL_S3: address }
    expect(() => open("s3://flags", env)).toThrow("AWS_ENDPOINT_URL_S3 must be")
    expect(() => open("s3://flags", env)).not.toThrow(/hidden/)
  },
)

test("a server that does not answer is named with the system's reason", async () => {
  const nobody = open(`http://127.0.0.1:${await freePort()}`)
  await expect(nobody.read("manifest.json")).rejects.toThrow("ECONNREFUSED")
  await nobody.close()
})

test.skipIf(!hasNginx)(
  "a store that wants a different password is reported with the variable, not the password",
  async () => {
    const nginx = await startNginx()
    const target = open(nginx.publishUrl, { FLAGSTONE_PUBLISH_AUTHORIZATION: "Basic wrong" })
    const failure = await target.read("manifest.json").catch((error) => error.message)
    expect(failure).toBe(
      `GET ${nginx.publishUrl}/manifest.json: returned 401; the server refused FLAGSTONE_PUBLISH_AUTHORIZATION: check its value and its rights`,
    )
    await target.close()
    await nginx.stop()
  },
)
