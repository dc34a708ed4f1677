import { describe, expect, test } from "vitest"
import { mintKey, wallClock } from "../fixtures.ts"
import { createEvaluateApp, evaluatedFlags, flagOf, path, read, rule } from "./evaluated-flags.ts"

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
      const app = await createEvaluateApp(flags)
      const all = app.generation.find({ project: undefined, environment: "production" })?.evaluations
      return [all?.tag, all?.only(page.record.flags).tag, all?.only(undefined).tag]
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

  test("costs nothing the second time, and many lists do not fill the memory", async () => {
    const { generation } = await createEvaluateApp()
    const all = generation.find({ project: undefined, environment: "production" })?.evaluations
    const first = all?.only(["s*"])
    expect(all?.only(["s*"])).toBe(first)
    for (let at = 0; at < 300; at++) all?.only([`s${at}`])
    expect(all?.only(["s*"])).not.toBe(first)
  })

  test("keeps the tags of all lists, which streams need", async () => {
    const { generation } = await createEvaluateApp()
    const all = generation.find({ project: undefined, environment: "production" })?.evaluations
    expect(all?.tagOf(undefined)).toBe(all?.tag)
    const first = all?.only(["s*"])
    expect(all?.tagOf(["s*"])).toBe(first?.tag)
    for (let at = 0; at < 255; at++) all?.tagOf([`s${at}`])
    expect(all?.only(["s*"])).toBe(first)
    for (let at = 255; at < 300; at++) all?.tagOf([`s${at}`])
    const again = all?.only(["s0"]) // the last list that is prepared
    for (let round = 0; round < 2; round++) for (let at = 0; at < 300; at++) all?.tagOf([`s${at}`])
    expect(all?.only(["s0"])).toBe(again)
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
