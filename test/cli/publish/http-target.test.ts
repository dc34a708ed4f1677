import { describe, expect, test } from "vitest"
import { Failure } from "../../../cli/failure.ts"
import { createHttpTarget } from "../../../cli/publish/http-target.ts"
import { type Answer, fakeWeb } from "./fake-web.ts"

const base = "https://flags.example/shop"
const file = {
  path: "production/v1/flags/a",
  bytes: Buffer.from("{}"),
  contentType: "application/json",
  cacheControl: "no-cache",
}
const refused = "the server refused FLAGSTONE_PUBLISH_AUTHORIZATION: check its value and its rights"
const stored = (version: string | undefined) => ({ bytes: Buffer.of(), version })

/** A target at a server with these answers. */
function open(...answers: readonly (Answer | number)[]) {
  const server = fakeWeb(...answers)
  return { ...server, target: createHttpTarget({ base, authorization: "Bearer ci", web: server.web }) }
}

describe("a read", () => {
  test("asks the origin for the bytes as they are", async () => {
    const { target, requests, limits } = open({ status: 200, body: "{}", headers: { etag: '"1"' } })
    expect(await target.read("manifest.json")).toEqual({ bytes: Buffer.from("{}"), version: '"1"' })
    await target.read("manifest.json.sig")
    const headers = {
      ...{ authorization: "Bearer ci", "cache-control": "no-cache", "accept-encoding": "identity" },
    }
    expect(requests).toEqual(
      ["manifest.json", "manifest.json.sig"].map((path) => ({
        ...{ method: "GET", url: new URL(`${base}/${path}`), headers },
      })),
    )
    expect(limits).toEqual([512 * 1_048_576, 1_048_576])
  })

  test.each([[undefined], ['W/"1"'], [['"1"', '"2"']]])("has no version if the tag is %j", async (etag) => {
    const { target } = open({ status: 200, headers: { etag } })
    expect((await target.read("a"))?.version).toBeUndefined()
  })

  test.each([404, 410])("finds nothing if the server answers %d", async (status) => {
    expect(await open(status).target.read("a")).toBeUndefined()
  })

  test.each([
    [204, "returned 204"],
    [302, "returned 302; redirects are not followed: use the final URL"],
    [304, "returned 304"],
    [401, `returned 401; ${refused}`],
    [403, `returned 403; ${refused}`],
    [409, "returned 409"],
    [500, "returned 500"],
  ])("fails if the server answers %d", async (status, words) => {
    await expect(open(status).target.read("a/v1/flags")).rejects.toThrow(
      new Failure(`GET ${base}/a/v1/flags: ${words}`),
    )
  })
})

test("a server that wants credentials, and was sent none, is reported with the variable to set", async () => {
  const target = createHttpTarget({ base, authorization: undefined, web: fakeWeb(401).web })
  await expect(target.read("a")).rejects.toThrow("returned 401; set FLAGSTONE_PUBLISH_AUTHORIZATION")
})

describe("a write", () => {
  test("sends the bytes with their headers", async () => {
    const { target, requests } = open(201)
    expect(await target.write(file)).toBe("written")
    const headers = {
      ...{ authorization: "Bearer ci", "content-type": "application/json", "cache-control": "no-cache" },
    }
    expect(requests).toEqual([
      { method: "PUT", url: new URL(`${base}/${file.path}`), headers, body: file.bytes },
    ])
  })

  test.each([
    ["what was read", stored('"1"'), { "if-match": '"1"' }],
    ["nothing", undefined, { "if-none-match": "*" }],
    ["what has no version", stored(undefined), {}],
  ])("that replaces %s says so", async (_, replaces, condition) => {
    const { target, requests } = open(204)
    expect(await target.write(file, { replaces })).toBe("written")
    const {
      authorization,
      "content-type": type,
      "cache-control": cache,
      ...rest
    } = requests[0]?.headers ?? {}
    expect(rest).toEqual(condition)
  })

  test("is lost if the condition is false", async () => {
    expect(await open(412).target.write(file, { replaces: undefined })).toBe("lost")
  })

  test.each([[[200]], [[299]], [[501, 501]]])("without a condition is sent once: %j", async (answers) => {
    const { target, requests } = open(...answers)
    await target.write(file).catch(() => undefined)
    expect(requests.length).toBe(1)
  })

  test("with a condition is sent once if it is answered otherwise", async () => {
    const { target, requests } = open(299, 200)
    expect(await target.write(file, { replaces: undefined })).toBe("written")
    expect(requests.length).toBe(1)
  })

  test("is repeated without a condition if the server has none", async () => {
    const { target, requests } = open(501, 200)
    expect(await target.write(file, { replaces: undefined })).toBe("written")
    expect(requests.map(({ headers }) => headers["if-none-match"])).toEqual(["*", undefined])
  })

  test.each([
    [file.path, 199, "returned 199"],
    [file.path, 308, "returned 308; redirects are not followed: use the final URL"],
    [file.path, 401, `returned 401; ${refused}`],
    [file.path, 412, "returned 412"],
    [file.path, 501, "returned 501"],
    [
      file.path,
      409,
      "returned 409; if this server keeps flags and flags/… as files, publish with --no-per-flag",
    ],
    [
      "production/v1/flags",
      409,
      "returned 409; if this server keeps flags and flags/… as files, publish with --no-per-flag",
    ],
    ["production/v1/flagsx", 409, "returned 409"],
    ["manifest.json", 409, "returned 409"],
  ])("of %s fails if the server answers %d", async (path, status, words) => {
    await expect(open(status).target.write({ ...file, path })).rejects.toThrow(
      new Failure(`PUT ${base}/${path}: ${words}`),
    )
  })
})

describe("a removal", () => {
  test.each([200, 204, 299, 404, 410])("is done if the server answers %d", async (status) => {
    const { target, requests } = open(status)
    await target.remove("a")
    expect(requests).toEqual([
      { method: "DELETE", url: new URL(`${base}/a`), headers: { authorization: "Bearer ci" } },
    ])
  })

  test.each([199, 405])("fails if the server answers %d", async (status) => {
    await expect(open(status).target.remove("a/v1/flags")).rejects.toThrow(
      new Failure(`DELETE ${base}/a/v1/flags: returned ${status}`),
    )
  })
})

test("without credentials none are sent, and closing it closes the connections", async () => {
  const { web, requests, pauses } = fakeWeb(200)
  const target = createHttpTarget({ base, authorization: undefined, web })
  await target.remove("a")
  expect(requests[0]?.headers).toEqual({})
  expect([target.location, target.address]).toEqual([base, base])
  await target.close()
  expect(pauses).toEqual([Number.NaN])
})
