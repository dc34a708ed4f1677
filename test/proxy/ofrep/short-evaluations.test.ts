import { expect, test } from "vitest"
import type { Json } from "../../../sdk/contract/snapshot.ts"
import { mintKey } from "../fixtures.ts"
import { createEvaluateApp, flagOf, path, rule } from "./evaluated-flags.ts"

const nested = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, () => ({ attribute: "plan", operator: "equals", value: "pro" })),
  )

const few = mintKey({ id: "few", flags: ["few/*"] })
const app = await createEvaluateApp(
  [
    flagOf("expression", "boolean", false, [rule("matches", "plan", "x", true)]),
    flagOf("few/a", "boolean", false, [rule("contains", "email", "@example.com", true)]),
    flagOf("few/b", "boolean", false, [rule("percentage", "targetingKey", "50", true)]),
    flagOf("groups", "boolean", false, [
      rule("all", "", nested(200), true),
      rule("any", "", nested(2), true),
    ]),
    flagOf("large", "json", { text: "x".repeat(100_000) }),
    ...Array.from({ length: 100 }, (_, at) => flagOf(`many/${at + 100}`, "boolean", false)),
    flagOf(
      "rules",
      "boolean",
      false,
      Array.from({ length: 10 }, (_, at) => rule("equals", "plans", `plan-${at}`, true)),
    ),
  ],
  { moreKeys: [few.record] },
)

/** The order in which these are answered that are asked at once, each by its own address: each a flag, or all, in a context. */
async function orderOf(
  asked: Readonly<Record<string, readonly [string | undefined, Json, (string | undefined)?]>>,
) {
  const order: string[] = []
  const asks = Object.entries(asked).map(async ([name, [key, context, secret = app.secret]], at) => {
    const init = { ip: `192.0.2.${at}`, headers: { authorization: `Bearer ${secret}` } }
    const { status } = await app.evaluate(key, context, init)
    order.push(`${name}: ${status}`)
  })
  await Promise.all(asks)
  return order
}

const user = { targetingKey: "customer-4711", email: "ann@example.com", plan: "free", age: 42, country: "DE" }
const texts = (count: number, text: string) => Array.from({ length: count }, () => text)

test.each<[string, string | undefined, Json]>([
  ["all of many flags", undefined, user],
  ["an expression, which may have to be compiled", "expression", { plan: "free" }],
  ["many comparisons, even in groups", "groups", user],
  ["many rules over a long text", "rules", { plans: "x".repeat(1_000) }],
  ["a long body, whatever the flag", "many/101", { about: { text: "x".repeat(3_000) } }],
  ["a long answer", "large", {}],
])("%s: whoever asks for less is answered first", async (_, key, context) => {
  const order = await orderOf({ long: [key, context], short: ["few/a", user] })
  expect(order).toEqual(["short: 200", "long: 200"])
})

test.each<[string, string | undefined, Json, number, string?]>([
  ["a flag without rules", "many/101", user, 200],
  ["all of few flags", undefined, user, 200, few.secret],
  ["no flag", "no-such-flag", user, 404],
  ["no context", "few/a", [], 400],
])("%s: does not wait for the long ones that were there before", async (_, key, context, status, secret) => {
  const long = [undefined, user] as const
  const order = await orderOf({ a: long, b: long, short: [key, context, secret] })
  expect(order).toEqual([`short: ${status}`, "a: 200", "b: 200"])
})

test("a long one is answered as it would be if it had not waited", async () => {
  const { text } = await app.evaluate("few/a", user)
  const [key, longer] = ["few/a", { ...user, ids: texts(1_000, "") }]
  expect((await app.evaluate(key, longer)).text).toBe(text)
  const { body } = await app.evaluate(undefined, user)
  const { metadata: _, ...element } = JSON.parse(text)
  expect(body.flags).toContainEqual(element)
})

test("of a client that has gone away before its turn is not done", async () => {
  const gone = new AbortController()
  const ask = (signal?: AbortSignal) =>
    app.fetch(
      new Request(`http://proxy.example.com${path}`, {
        ...{ method: "POST", body: JSON.stringify({ context: user }) },
        ...{ headers: { authorization: `Bearer ${app.secret}` }, ...(signal && { signal }) },
      }),
    )
  const stays = ask()
  const left = ask(gone.signal)
  gone.abort()
  expect([(await stays).status, (await left).status]).toEqual([200, 503])
})
