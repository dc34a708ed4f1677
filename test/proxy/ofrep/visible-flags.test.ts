import { describe, expect, test } from "vitest"
import type { Evaluations } from "../../../proxy/evaluate/evaluations.ts"
import { shortWork, unitsOf } from "../../../proxy/evaluate/work.ts"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { mintKey, wallClock } from "../fixtures.ts"
import { createEvaluateApp, evaluatedFlags, flagOf, path, read, rule } from "./evaluated-flags.ts"

async function evaluationsOf(flags: readonly FlagEntry[] = evaluatedFlags): Promise<Evaluations> {
  const { generation } = await createEvaluateApp(flags)
  const evaluations = generation.find({ project: undefined, environment: "production" })?.evaluations
  if (evaluations === undefined) throw new Error("no snapshot")
  return evaluations
}

describe("a key that may evaluate some flags", () => {
  const page = mintKey({ id: "page", for: "evaluate", flags: ["team/**", "s*"] })
  const headers = { authorization: `Bearer ${page.secret}` }
  const post = { method: "POST", headers }

  test("finds no others, neither one by one nor in the list", async () => {
    const app = await createEvaluateApp(evaluatedFlags, { moreKeys: [page.record] })
    const ask = async (target: string) => read(await app.ask(target, post))
    const { body } = await ask(path)
    expect(body.flags.map(({ key }: { key: string }) => key)).toEqual(["share", "static", "team/checkout"])
    expect((await ask(`${path}/team/checkout`)).body).toMatchObject({ value: false })
    const hidden = await ask(`${path}/theme`)
    expect([hidden.status, hidden.body.errorCode]).toEqual([404, "FLAG_NOT_FOUND"])
    expect((await ask(`${path}/no-such-flag`)).text.replace(/no-such-flag/g, "theme")).toBe(hidden.text)
    expect((await app.evaluate(undefined)).body.flags.length).toBe(evaluatedFlags.length)
  })

  test("is told of no others", async () => {
    const evaluations = async (flags = evaluatedFlags) => {
      const all = await evaluationsOf(flags)
      return [all.tag, all.only(page.record.flags).tag, all.only(undefined).tag]
    }
    const [whole, some, undefinedIsWhole] = await evaluations()
    expect(undefinedIsWhole).toBe(whole)
    const [otherWhole, sameSome] = await evaluations(
      evaluatedFlags.filter(({ flag }) => flag.key !== "theme"),
    )
    expect(otherWhole).not.toBe(whole)
    expect(sameSome).toBe(some)
    expect((await evaluations(evaluatedFlags.filter(({ flag }) => flag.key !== "static")))[1]).not.toBe(some)
  })

  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => flagOf(`f${at + 10_000}`, "boolean", true))

  test("lets others go first while its flags are found", async () => {
    const some = (await evaluationsOf(many(20_000))).only(["*x1111", "**y"])
    expect(unitsOf(some.workOf(undefined), 0)).toBeGreaterThan(shortWork)
    expect(unitsOf(some.workOf("f11111"), 0)).toBeLessThan(shortWork)
    const steps = some.all({}, 0)
    let pauses = 0
    while (!steps.next().done) pauses++
    expect(pauses).toBeGreaterThan(10)
    expect(unitsOf(some.workOf(undefined), 0)).toBe(0) // it has none of these flags
  })

  test("does not fill the memory with many lists", async () => {
    const all = await evaluationsOf()
    const first = all.only(["s*"])
    const isKeptAfter = (lists: number): boolean => {
      for (let at = 0; at < lists; at++) all.only([`s${at}`])
      return all.only(["s*"]) === first
    }
    expect([isKeptAfter(200), isKeptAfter(300)]).toEqual([true, false])
  })
})

describe("a proxy that adds the moment", () => {
  const banner = flagOf("banner", "boolean", false, [
    { ...rule("before", "now", new Date(wallClock).toISOString(), false), id: "early" },
    rule("before", "now", new Date(wallClock + 60_000).toISOString(), true),
  ])

  test("adds it to a context without one", async () => {
    const app = await createEvaluateApp([banner], { clockAttribute: "now" })
    const value = async (context: Record<string, string | null>) =>
      (await app.evaluate("banner", context)).body.value
    expect([await value({}), await value({ now: null })]).toEqual([true, true])
    expect(await value({ now: "2020-01-01T00:00:00Z" })).toBe(false)
    expect((await app.evaluate(undefined, {})).body.flags[0].value).toBe(true)
    app.clock.now += 60_000
    expect(await value({})).toBe(false)
  })

  test("adds nothing unless it is told to", async () => {
    const app = await createEvaluateApp([banner])
    expect((await app.evaluate("banner", {})).body.value).toBe(false)
  })
})
