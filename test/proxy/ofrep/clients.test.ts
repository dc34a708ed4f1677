import { describe, expect, test } from "vitest"
import { type Client, clients } from "./clients.ts"
import {
  createEvaluateApp,
  type EvaluateApp,
  type Evaluated,
  evaluatedFlags,
  read,
} from "./evaluated-flags.ts"

async function ask(
  app: EvaluateApp,
  { target, headers }: Client,
  key: string,
  body: string | undefined,
  changes: { readonly slash?: boolean; readonly headers?: Readonly<Record<string, string | null>> } = {},
): Promise<Evaluated> {
  const init = {
    method: "POST",
    headers: { ...headers, ...changes.headers },
    ...(body !== undefined && { body }),
  }
  return read(await app.ask(target(changes.slash ?? false, key), init))
}

/** A flag's part of an answer. */
function itemOf({ asks }: Client, key: string, { body }: Evaluated) {
  if (asks === "for one flag") return body
  return body.flags.find((item: { key: string }) => item.key === key)
}

const limit = { rateLimit: { capacity: 1, refillPerSecond: 0.1 } }

test("there are nine", () => expect(new Set(clients.map(({ name }) => name)).size).toBe(9))

const pro = JSON.stringify({ context: { targetingKey: "ann", plan: "pro", email: "ann@example.com" } })

describe.each(clients.map((client) => [client.name, client] as const))("%s", (_, client) => {
  test.each([
    ["boolean", "static", true],
    ["boolean of a rule, with a slash in its key", "team/checkout", true],
    ["boolean of a share", "share", true],
    ["boolean, disabled", "disabled", false],
    ["text", "theme", "gold"],
    ["whole number", "count", 10],
    ["number", "ratio", 1.5],
    ["object", "layout", { columns: 3, ratio: 1 }],
    ["text, not configured", "unconfigured", "blue"],
  ])("reads a %s", async (_, key, value) => {
    const app = await createEvaluateApp()
    for (const slash of [false, true]) {
      const answer = await ask(app, client, key, pro, { slash })
      expect(answer.status).toBe(200)
      expect(client.complaints(answer)).toEqual([])
      const item = itemOf(client, key, answer)
      expect(item.value).toEqual(value)
      for (const text of [item.key, item.variant, item.reason]) expect(text).toMatch(/./)
    }
  })

  test("needs no context", async () => {
    const answer = await ask(await createEvaluateApp(), client, "theme", client.emptyBody)
    expect(answer.status).toBe(200)
    expect(client.complaints(answer)).toEqual([])
    expect(itemOf(client, "theme", answer).value).toBe("grün")
  })

  test("may send dates, lists, objects and nulls", async () => {
    const at = "2026-11-22T10:00:00Z"
    const context = { targetingKey: "", plan: "pro", at, tags: ["a"], address: { city: "Köln" }, none: null }
    const answer = await ask(await createEvaluateApp(), client, "theme", JSON.stringify({ context }))
    expect(itemOf(client, "theme", answer).value).toBe("gold")
  })

  test.each<[string, number, (app: EvaluateApp) => Promise<Evaluated>]>([
    ["no key", 401, (app) => ask(app, client, "static", pro, { headers: { authorization: null } })],
    ["an invalid context", 400, (app) => ask(app, client, "static", '{"context":"ann"}')],
    ["a body that is too long", 413, (app) => ask(app, client, "static", " ".repeat(65_537))],
    [
      "too many requests",
      429,
      async (app) => {
        await ask(app, client, "static", pro)
        return ask(app, client, "static", pro)
      },
    ],
    [
      "no snapshot",
      503,
      async (app) => {
        app.generation = { projects: [], find: () => undefined }
        return ask(app, client, "static", pro)
      },
    ],
    [
      "a fault of ours",
      500,
      async (app) => {
        Object.defineProperty(app, "generation", { value: undefined })
        return ask(app, client, "static", pro)
      },
    ],
  ])("understands what is wrong: %s", async (_, status, provoke) => {
    const answer = await provoke(
      await createEvaluateApp(evaluatedFlags, status === 429 ? { key: limit } : {}),
    )
    expect(answer.status).toBe(status)
    expect(client.complaints(answer)).toEqual([])
  })

  test("understands that its key may not evaluate", async () => {
    const app = await createEvaluateApp(evaluatedFlags, { key: { for: "read" } })
    const answer = await ask(app, client, "static", pro)
    expect(answer.status).toBe(403)
    expect(client.complaints(answer)).toEqual([])
  })
})

test.each(asking("for one flag"))("%s understands that there is no such flag", async (_, client) => {
  for (const key of ["unknown", "team/unknown"]) {
    const answer = await ask(await createEvaluateApp(), client, key, pro)
    expect(answer.status).toBe(404)
    expect(answer.body).toMatchObject({ key, errorCode: "FLAG_NOT_FOUND", errorDetails: "Flag not found" })
    expect(client.complaints(answer)).toEqual([])
  }
})

test.each(asking("for all flags"))(
  "%s gets a 304 for a tag that it kept, and new values in a new context",
  async (_, client) => {
    const app = await createEvaluateApp()
    const first = await ask(app, client, "", pro)
    const kept = { headers: { "if-none-match": first.headers.get("etag") } }
    expect((await ask(app, client, "", pro, kept)).status).toBe(304)
    const free = JSON.stringify({ context: { targetingKey: "ann", plan: "free" } })
    const other = await ask(app, client, "", free, kept) // as both do, while the targetingKey stays the same
    expect(other.status).toBe(200)
    expect(itemOf(client, "theme", other).value).toBe("grün")
  },
)

function asking(what: Client["asks"]): readonly (readonly [string, Client])[] {
  return clients.filter(({ asks }) => asks === what).map((client) => [client.name, client])
}
