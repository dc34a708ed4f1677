import { describe, expect, test } from "vitest"
import { Failure } from "../../../cli/failure.ts"
import { createS3Target } from "../../../cli/publish/s3-target.ts"
import { type Answer, fakeWeb } from "./fake-web.ts"

const env = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "eu-west-1" }
const now = () => Date.UTC(2026, 10, 21, 10, 11, 12, 345)
const file = {
  path: "production/v1/flags",
  bytes: Buffer.from("{}"),
  contentType: "application/json",
  cacheControl: "no-cache",
}
const error = (code: string, more = "") => `<Error><Code>${code}</Code>${more}</Error>`
const absent = { status: 404, body: error("NoSuchKey") }
const conflict = { status: 409, body: error("ConditionalRequestConflict") }

/** A target at a store with these answers. */
function open(...answers: readonly (Answer | number)[]) {
  const store = fakeWeb(...answers)
  return { ...store, target: createS3Target({ bucket: "flags", prefix: "shop", env, now, web: store.web }) }
}

test("requests are signed for the bucket, the prefix, the region and the time", async () => {
  const { target, requests, limits } = open({ status: 200, body: "{}", headers: { etag: '"1"' } })
  expect(await target.read("manifest.json")).toEqual({ bytes: Buffer.from("{}"), version: '"1"' })
  await target.read("manifest.json.sig")
  expect(limits).toEqual([512 * 1_048_576, 1_048_576])
  await target.write(file, { replaces: undefined })
  await target.remove(file.path)
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  const signed = {
    authorization: expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=id\/20261121\/eu-west-1\/s3\/aws4_request, SignedHeaders=\S+, Signature=[0-9a-f]{64}$/,
    ),
    "x-amz-date": "20261121T101112Z",
    "x-amz-content-sha256": empty,
  }
  const address = "https://flags.s3.eu-west-1.amazonaws.com/shop"
  expect(requests.map(({ url: { href }, ...rest }) => ({ ...rest, url: href }))).toEqual([
    { method: "GET", url: `${address}/manifest.json`, headers: signed },
    { method: "GET", url: `${address}/manifest.json.sig`, headers: signed },
    {
      method: "PUT",
      url: `${address}/production/v1/flags`,
      headers: {
        ...signed,
        "x-amz-content-sha256": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
        "content-type": "application/json",
        "cache-control": "no-cache",
        "content-md5": "mZFLkyvTelC5g8XnyQrpOw==",
        "if-none-match": "*",
      },
      body: file.bytes,
    },
    { method: "DELETE", url: `${address}/production/v1/flags`, headers: signed },
  ])
})

test.each([
  ["the bucket's host", {}, "flags", "https://flags.s3.eu-west-1.amazonaws.com"],
  ["a bucket with a dot", {}, "a.b", "https://s3.eu-west-1.amazonaws.com/a.b"],
  [
    "the older variable",
    { AWS_REGION: "", AWS_DEFAULT_REGION: "x" },
    "flags",
    "https://flags.s3.x.amazonaws.com",
  ],
  ["no region", { AWS_REGION: undefined }, "flags", "https://flags.s3.us-east-1.amazonaws.com"],
  ["a store", { AWS_ENDPOINT_URL: "http://store:9//" }, "flags", "http://store:9/flags"],
  [
    "a store for S3 alone",
    { AWS_ENDPOINT_URL_S3: "https://s3.example/x", AWS_ENDPOINT_URL: "http://store:9" },
    "flags",
    "https://s3.example/x/flags",
  ],
  [
    "no store",
    { AWS_ENDPOINT_URL_S3: "", AWS_ENDPOINT_URL: "" },
    "flags",
    "https://flags.s3.eu-west-1.amazonaws.com",
  ],
])("readers find %s", (_, variables, bucket, address) => {
  const { web } = fakeWeb(200)
  const parts = { env: { ...env, ...variables }, now, web }
  const [top, below] = ["", "shop"].map((prefix) => createS3Target({ ...parts, bucket, prefix }))
  expect([top?.address, below?.address]).toEqual([address, `${address}/shop`])
  expect([top?.location, below?.location]).toEqual([`s3://${bucket}`, `s3://${bucket}/shop`])
})

const refused: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
  [{ AWS_ACCESS_KEY_ID: "" }, "set both"],
  [{ AWS_SECRET_ACCESS_KEY: "" }, "set both"],
  ...["ftp://x", "http://hidden@x", "http://:hidden@x", "http://x?hidden", "http://x#hidden", "hidden"].map(
    (address) => [{ AWS_ENDPOINT_URL_S3: address }, "AWS_ENDPOINT_URL_S3 must be an http"] as const,
  ),
]
test.each(refused)("variables %j are refused", (variables, words) => {
  const { web } = fakeWeb(200)
  const parts = { bucket: "flags", prefix: "", env: { ...env, ...variables }, now, web }
  expect(() => createS3Target(parts)).toThrow(words)
  expect(() => createS3Target(parts)).not.toThrow(/hidden/)
})

describe("what a store calls absent", () => {
  test("is absent", async () => {
    expect(await open(absent).target.read("a")).toBeUndefined()
    await open(absent).target.remove("a")
    expect(await open(absent).target.write(file, { replaces: undefined })).toBe("lost")
  })

  test("is an error for a write without a condition", async () => {
    await expect(open(absent).target.write(file)).rejects.toThrow("the store returned 404 NoSuchKey")
  })
})

describe("a write", () => {
  test.each([
    [[200], "written", []],
    [[412], "lost", []],
    [[conflict, 200], "written", [1]],
    [[conflict, { status: 409, body: error("OperationAborted") }, 412], "lost", [1, 2]],
    [[conflict], "lost", [1, 2, 3, 4]],
    [[501, 200], "written", []],
  ] as const)("with a condition, answered with %j, is %s", async (answers, outcome, expected) => {
    const { target, requests, pauses } = open(...answers)
    const replaces = { bytes: Buffer.of(), version: '"1"' }
    expect(await target.write(file, { replaces })).toBe(outcome)
    expect(pauses).toEqual(expected)
    const conditions = requests.map(({ headers }) => headers["if-match"])
    expect(conditions).toEqual(answers[0] === 501 ? ['"1"', undefined] : requests.map(() => '"1"'))
  })

  test.each([409, 412, 501])("without a condition fails if the store answers %d", async (status) => {
    await expect(open({ status, body: error("OperationAborted") }).target.write(file)).rejects.toThrow(
      `PUT production/v1/flags: the store returned ${status} OperationAborted`,
    )
  })
})

test.each([200, 204])("a removal is done if the store answers %d", async (status) => {
  await open(status).target.remove("a")
})

describe("an answer that is an error", () => {
  const region = "; set AWS_REGION to the bucket's region"
  const files =
    "; if this store keeps objects as files, it cannot have both flags and flags/…: publish with --no-per-flag"
  const elsewhere = "; this does not look like an S3 store: check AWS_ENDPOINT_URL_S3"
  const named = "<Region>eu-central-1</Region>"
  test.each([
    [
      "PUT",
      400,
      error("AuthorizationHeaderMalformed", named),
      `400 AuthorizationHeaderMalformed${region}, eu-central-1`,
    ],
    [
      "PUT",
      400,
      error("IllegalLocationConstraintException"),
      `400 IllegalLocationConstraintException${region}`,
    ],
    ["GET", 301, error("PermanentRedirect"), `301 PermanentRedirect${region}`],
    ["GET", 301, "", `301${region}`],
    ["GET", 307, "", `307${region}`],
    ["GET", 302, "", "302"],
    [
      "PUT",
      403,
      error("RequestTimeTooSkewed"),
      "403 RequestTimeTooSkewed; this machine's clock is wrong: set it",
    ],
    ["GET", 403, error("AccessDenied"), "403 AccessDenied; the credentials need GetObject and ListBucket"],
    ["GET", 403, "", "403; the credentials need GetObject and ListBucket"],
    ["PUT", 403, error("AccessDenied"), "403 AccessDenied; the credentials need PutObject"],
    ["DELETE", 403, error("AccessDenied"), "403 AccessDenied; the credentials need DeleteObject"],
    [
      "DELETE",
      403,
      error("SignatureDoesNotMatch"),
      "403 SignatureDoesNotMatch; AWS_SECRET_ACCESS_KEY is probably not the secret of AWS_ACCESS_KEY_ID",
    ],
    ["PUT", 400, error("ExpiredToken"), "400 ExpiredToken; the credentials have expired: get new ones"],
    ["GET", 401, error("AccessDenied"), "401 AccessDenied"],
    ["PUT", 409, error("ObjectParentIsFile"), `409 ObjectParentIsFile${files}`],
    ["PUT", 500, "", `500${files}`],
    ["DELETE", 500, "", "500"],
    ["GET", 409, "", "409"],
    ["GET", 404, "<html>", `404${elsewhere}`],
    ["GET", 404, error("NoSuchBucket"), "404 NoSuchBucket; there is no such bucket"],
    ["DELETE", 404, "", `404${elsewhere}`],
    ["GET", 400, "", "400"],
    ["GET", 400, `${" ".repeat(4080)}${error("LateX")}`, "400"],
    [
      "GET",
      301,
      `${error("PermanentRedirect")}${" ".repeat(4096)}${named}`,
      `301 PermanentRedirect${region}`,
    ],
    ["GET", 400, error("x".repeat(65)), "400"],
  ])("%s %d %.99s", async (method, status, body, words) => {
    const { target } = open({ status, body })
    const call = {
      GET: () => target.read(file.path),
      PUT: () => target.write(file),
      DELETE: () => target.remove(file.path),
    }[method]
    await expect(call?.()).rejects.toThrow(new Failure(`${method} ${file.path}: the store returned ${words}`))
  })

  test("is not about flags for a path that is none", async () => {
    await expect(open(409).target.write({ ...file, path: "manifest.json" })).rejects.toThrow(
      new Failure("PUT manifest.json: the store returned 409"),
    )
  })
})
