// @module-tag system
// @module-tag slow
import { mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { describePublishTarget } from "../../contracts/publish-target.ts"
import { freePort } from "../../servers/ports.ts"
import { startS3 } from "../../servers/s3.ts"
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

test("a store gets the session's token, the type and the cache header", async () => {
  const s3 = await startS3(["flags"], true)
  const target = open("s3://flags", { ...s3.env, AWS_SESSION_TOKEN: "a-session" })
  const types = { contentType: "application/json", cacheControl: "x" }
  await target.write({ path: "manifest.json", bytes: Buffer.from("{}"), ...types })
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

test("a server that does not answer is named with the system's reason", async () => {
  const nobody = open(`http://127.0.0.1:${await freePort()}`)
  await expect(nobody.read("manifest.json")).rejects.toThrow("ECONNREFUSED")
  await nobody.close()
})
