// @module-tag system
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { beforeAll, describe, expect, test } from "vitest"
import { parse } from "yaml"
import { evaluatePath, evaluateEventsPath as eventsPath, httpErrors } from "../../../proxy/contract/http.ts"
import { formatRawError } from "../../../proxy/http/respond.ts"
import type { RunningProxy } from "../../../proxy/serve.ts"
import { buildFiles, createKeySource, createMapSource, defaultBucket, mintKey, shop } from "../fixtures.ts"
import { exchange } from "../raw-http.ts"
import { startTestProxy } from "../start-proxy.ts"
import { createTestApp } from "../test-app.ts"

const path = join(import.meta.dirname, "../../../proxy/contract/openapi.yaml")
const description = parse(readFileSync(path, "utf8"), { maxAliasCount: -1 })
const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addSchema(description, "openapi")

test("a linter finds nothing in it", async () => {
  const cli = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js")
  const env = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, "lint", "--extends=recommended", "--format=json", path],
    { env },
  )
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] })
})

test("its errors are the proxy's, word for word", () => {
  const described = Object.values<{ content?: Record<string, { example?: { error?: string } }> }>(
    description.components.responses,
  ).flatMap(({ content }) => content?.["application/json"]?.example?.error ?? [])
  const { notFound, ...errors } = httpErrors // of no path that is described
  expect(new Set(described)).toEqual(new Set(Object.values(errors).map(({ error }) => error)))
  expect(notFound.error).toBe("Not found")
})

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

interface DescribedResponse {
  readonly $ref?: string
  readonly headers?: Record<string, { $ref: string }>
  readonly content?: Record<string, { schema: unknown }>
}

/** Follows a reference within the description. */
function resolve<T>(reference: string): T {
  return reference
    .slice(2)
    .split("/")
    .reduce((node, name) => node[name], description)
}

function compileAt(pointer: readonly string[]): ValidateFunction {
  const encoded = pointer
    .map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1"))
    .map(encodeURIComponent)
  return ajv.compile({ $ref: `openapi#/${encoded.join("/")}` })
}

/** Checks an answer against the description: its status, every header, no undescribed header, and its body. */
function check(template: string, method: string, answer: Answer): void {
  const pointer = ["paths", template, method, "responses", String(answer.status)]
  let described = description.paths[template][method].responses[answer.status] as
    | DescribedResponse
    | undefined
  expect(described, `${method} ${template} ${answer.status} is described`).toBeDefined()
  let place: readonly string[] = pointer
  if (described?.$ref !== undefined) {
    place = described.$ref.slice(2).split("/")
    described = resolve<DescribedResponse>(described.$ref)
  }

  const names = Object.entries(described?.headers ?? {})
  for (const [name, { $ref }] of names) {
    const { required = false } = resolve<{ required?: boolean }>($ref)
    const value = answer.headers.get(name)
    if (value === null) expect(required, `${name} may be absent`).toBe(false)
    else {
      const validate = compileAt([...$ref.slice(2).split("/"), "schema"])
      expect(validate(value), `${name}: ${value}`).toBe(true)
    }
  }
  const known = new Set(["content-type", "content-length", "date", "connection", "keep-alive"])
  for (const [name] of names) known.add(name.toLowerCase())
  expect([...answer.headers.keys()].filter((name) => !known.has(name))).toEqual([])

  if (method === "head" || described?.content === undefined) expect(answer.body).toBe("")
  else {
    expect(answer.headers.get("content-type")).toBe("application/json")
    const validate = compileAt([...place, "content", "application/json", "schema"])
    validate(JSON.parse(answer.body))
    expect(validate.errors).toBeNull()
  }
}

describe("what a running proxy answers", () => {
  const good = mintKey()
  const poor = mintKey({ id: "poor", rateLimit: { capacity: 1, refillPerSecond: 1 } })
  const browser = mintKey({ id: "browser", for: "evaluate" })
  const reader = mintKey({ id: "reader", for: "read" })
  const orphan = mintKey({ id: "orphan", environment: "staging" })
  let proxy: RunningProxy
  beforeAll(async () => {
    const keys = createKeySource([good.record, poor.record, browser.record, reader.record, orphan.record])
    const files = buildFiles({ production: shop, staging: [] })
    files.delete("staging.json")
    const snapshots = [createMapSource(files)]
    proxy = (await startTestProxy({ keys, snapshots, evaluateBucket: defaultBucket })).proxy
    await ask("GET", "/v1/flags", { authorization: `Bearer ${poor.secret}` })
    await ask("POST", evaluatePath, { authorization: `Bearer ${poor.secret}` })
    await ask("HEAD", "/v1/events", { authorization: `Bearer ${poor.secret}` })
  })

  async function ask(
    method: string,
    target: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<Answer> {
    const response = await fetch(proxy.url + target, { method, headers, ...(body !== undefined && { body }) })
    // fetch decodes the body and leaves the header
    return { status: response.status, headers: response.headers, body: await response.text() }
  }

  const authorization = `Bearer ${good.secret}`
  for (const method of ["get", "head"]) {
    test.each<[string, number, string, string, Record<string, string>]>([
      ["/v1/flags", 200, "/v1/flags", "", { authorization }],
      ["/v1/flags", 200, "/v1/flags", "in gzip", { authorization, "accept-encoding": "gzip" }],
      ["/v1/flags", 200, "/v1/flags", "in br", { authorization, "accept-encoding": "br" }],
      ["/v1/flags", 304, "/v1/flags", "", { authorization, "if-none-match": "*" }],
      ["/v1/flags", 401, "/v1/flags", "", {}],
      ["/v1/flags", 403, "/v1/flags", "", { authorization: `Bearer ${browser.secret}` }],
      ["/v1/flags", 429, "/v1/flags", "", { authorization: `Bearer ${poor.secret}` }],
      ["/v1/flags", 503, "/v1/flags", "", { authorization: `Bearer ${orphan.secret}` }],
      ["/v1/flags/{key}", 200, "/v1/flags/dark.mode", "", { authorization }],
      ["/v1/flags/{key}", 200, "/v1/flags/a%2Fb", "not configured", { authorization }],
      ["/v1/flags/{key}", 304, "/v1/flags/dark.mode", "", { authorization, "if-none-match": "*" }],
      ["/v1/flags/{key}", 401, "/v1/flags/dark.mode", "", { authorization: "Bearer guess" }],
      ["/v1/flags/{key}", 403, "/v1/flags/dark.mode", "", { authorization: `Bearer ${browser.secret}` }],
      ["/v1/flags/{key}", 404, "/v1/flags/unknown", "", { authorization }],
      ["/v1/flags/{key}", 429, "/v1/flags/dark.mode", "", { authorization: `Bearer ${poor.secret}` }],
      ["/v1/flags/{key}", 503, "/v1/flags/dark.mode", "", { authorization: `Bearer ${orphan.secret}` }],
      ["/v1/events", 401, "/v1/events", "", {}],
      ["/v1/events", 403, "/v1/events", "", { authorization: `Bearer ${browser.secret}` }],
      ["/v1/events", 429, "/v1/events", "", { authorization: `Bearer ${poor.secret}` }],
      ["/v1/events", 503, "/v1/events", "", { authorization: `Bearer ${orphan.secret}` }],
    ])(`${method} %s: %i for %s %s`, async (template, status, target, _, headers) => {
      const answer = await ask(method.toUpperCase(), target, headers)
      expect(answer.status).toBe(status)
      check(template, method, answer)
    })
  }

  test("head /v1/events: 200", async () => {
    const answer = await ask("HEAD", "/v1/events", { authorization })
    expect(answer.status).toBe(200)
    check("/v1/events", "head", answer)
  })

  const all = evaluatePath
  test.each<[string, number, string, string, Record<string, string>, string?]>([
    ["", 200, "", "", { authorization }],
    ["", 200, "", "with a context", { authorization }, '{"context":{"email":"ann@example-0.com"}}'],
    ["", 200, "", "with X-API-Key", { "x-api-key": good.secret }],
    ["", 304, "", "", { authorization, "if-none-match": "ETAG" }],
    ["", 400, "", "", { authorization }, "["],
    ["", 401, "", "", {}],
    ["", 403, "", "", { authorization: `Bearer ${reader.secret}` }],
    ["", 413, "", "", { authorization }, " ".repeat(65_537)],
    ["", 429, "", "", { authorization: `Bearer ${poor.secret}` }],
    ["", 503, "", "", { authorization: `Bearer ${orphan.secret}` }],
    ["/{key}", 200, "/dark.mode", "", { authorization: `Bearer ${browser.secret}` }],
    ["/{key}", 400, "/dark.mode", "", { authorization }, '{"context":[]}'],
    ["/{key}", 401, "/dark.mode", "", { authorization: "Bearer guess" }],
    ["/{key}", 403, "/dark.mode", "", { authorization: `Bearer ${reader.secret}` }],
    ["/{key}", 404, "/unknown", "", { authorization }],
    ["/{key}", 413, "/dark.mode", "", { authorization }, " ".repeat(65_537)],
    ["/{key}", 429, "/dark.mode", "", { authorization: `Bearer ${poor.secret}` }],
    ["/{key}", 503, "/dark.mode", "", { authorization: `Bearer ${orphan.secret}` }],
  ])(`post ${all}%s: %i for %s %s`, async (template, status, target, _, headers, body) => {
    const known = headers["if-none-match"] && (await ask("POST", all, { authorization })).headers.get("etag")
    const answer = await ask(
      "POST",
      all + target,
      { ...headers, ...(known && { "if-none-match": known }) },
      body,
    )
    expect(answer.status).toBe(status)
    check(all + template, "post", answer)
  })

  test.each([
    ["/livez", "GET", 200],
    ["/livez", "HEAD", 200],
    ["/livez", "POST", 405],
    ["/readyz", "GET", 503],
    ["/readyz", "HEAD", 503],
    ["/readyz", "DELETE", 405],
    ["/v1/flags", "PUT", 405],
    [all, "GET", 405],
    [eventsPath, "GET", 401],
    [eventsPath, "POST", 405],
  ])("%s: %s is %i", async (target, method, status) => {
    const answer = await ask(method, target, {})
    expect(answer.status).toBe(status)
    check(target, target === all ? "post" : method === "HEAD" ? "head" : "get", answer)
  })

  test("what is not HTTP", async () => {
    check("/v1/flags", "get", parseAnswer(await exchange(proxy.port, "nonsense\r\n\r\n")))
    const long = `GET /v1/flags HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(17_000)}\r\n\r\n`
    check("/v1/flags/{key}", "get", parseAnswer(await exchange(proxy.port, long)))
    check("/v1/flags", "get", parseAnswer(formatRawError(httpErrors.requestTimeout).toString()))
  })

  test("a failure", async () => {
    const app = await createTestApp()
    Object.defineProperty(app, "generation", { value: undefined })
    const response = await app.ask("/v1/flags")
    check("/v1/flags", "get", { status: 500, headers: response.headers, body: await response.text() })
    expect(response.status).toBe(500)
    const evaluated = await app.ask(all, { method: "POST" })
    check(all, "post", { status: 500, headers: evaluated.headers, body: await evaluated.text() })
    expect(evaluated.status).toBe(500)
  })
})

function parseAnswer(message: string): Answer {
  const [head = "", body = ""] = message.split("\r\n\r\n")
  const [status = "", ...lines] = head.split("\r\n")
  const headers = lines.map((line): [string, string] => [
    line.split(": ")[0] ?? "",
    line.split(": ")[1] ?? "",
  ])
  return { status: Number(status.split(" ")[1]), headers: new Headers(headers), body }
}
