import { describe, expect, test } from "vitest"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import { always, enabled, flag, ours } from "../flags.ts"
import { diffOf, shop, sideOf } from "../sides.ts"

describe("added and removed flags", () => {
  const kinds = (before: Record<string, object>, after: Record<string, object>, project = shop) =>
    diffOf(sideOf(before, project), sideOf(after, project)).changes.map((change) =>
      [change.kind, "flag" in change && change.flag, change.impact].join(" "),
    )

  test("the same definition under a new key is one renamed flag, unless several have it", () => {
    const described = flag(enabled(ours), { description: "One" })
    expect(kinds({ f: described }, { g: { ...described, owner: "me" } })).toEqual([
      "flag-renamed g behaviour",
      "people-changed g none",
    ])
    expect(kinds({ f: described }, { g: { ...described, description: "Other" } })).toEqual([
      "flag-removed f behaviour",
      "flag-added g behaviour",
    ])
    expect(kinds({ a: described, b: described }, { c: described })).toHaveLength(3)
    const shared = (seed: string) => {
      const rules = [{ share: { by: "id", to: 20, seed }, returnValue: true }]
      return flag({ enabled: true, rules }, { description: "One" })
    }
    expect(kinds({ a: shared("s"), b: shared("t") }, { c: shared("s") })).toEqual([
      "flag-removed b behaviour",
      "flag-renamed c behaviour",
    ])
    expect(kinds({ b: shared("t") }, { c: shared("t"), d: shared("s") })).toEqual([
      "flag-renamed c behaviour",
      "flag-added d behaviour",
    ])
    const [off, on] = [flag(undefined), flag(enabled(always))]
    expect(kinds({ floodHomepage: off }, { slowShipping: off })).toEqual([
      "flag-removed floodHomepage behaviour",
      "flag-added slowShipping definition",
    ])
    expect(kinds({ newCheckout: on }, { "new-checkout": on })).toEqual([
      "flag-renamed new-checkout behaviour",
    ])
    expect(
      kinds({ "shop-cart": on, "shop-search": on, "shop-tax": on }, { cart: on, search: on, hints: on }),
    ).toEqual([
      "flag-renamed cart behaviour",
      "flag-added hints behaviour",
      "flag-renamed search behaviour",
      "flag-removed shop-tax behaviour",
    ])
    expect(kinds({ "cart-1": on, "cart-2": on }, { "cart-3": on })).toHaveLength(3)
    expect(kinds({ f: { ...described, id: "x" } }, { g: { ...described, id: "x", name: "g" } })).toEqual([
      "flag-renamed g behaviour",
    ])
  })
})

describe("a renamed flag", () => {
  const sentences = (before: object, after: object) => {
    const { changes, warnings } = diffOf(sideOf({ old: before }), sideOf({ new: after }))
    const said = changes.flatMap(({ kind, effects }) => [
      kind,
      ...effects.filter(({ environment }) => environment === "production").map(({ who }) => plainPhrase(who)),
    ])
    return [said, warnings.map(({ code }) => code)]
  }
  const shared = (seed?: string) =>
    flag({
      enabled: true,
      rules: [{ share: { by: "id", to: 20, ...(seed && { seed }) }, returnValue: true }],
    })
  const split = (seed?: string, condition: object = {}) => {
    const into = [20, 30, 50].map((share, at) => ({ share, returnValue: at % 2 === 0 }))
    return flag({
      enabled: true,
      rules: [{ ...condition, split: { by: "id", ...(seed && { seed }), into } }],
    })
  }
  const sharedBeside = (condition: object) =>
    flag({
      enabled: true,
      rules: [
        { ...condition, returnValue: true },
        { share: { by: "id", to: 20 }, returnValue: true },
      ],
    })
  const german = { attribute: "country", operator: "equals", value: "DE" }
  const kept = "everyone keeps their value"
  const gone = "clients that ask for `old` no longer get it; under its new key, "

  test.each<readonly [string, object, object, string]>([
    ["with the old key as the seed of a split", split(), split("old"), kept],
    [
      "with the old key as the seed of a split of some users",
      split(undefined, german),
      split("old", german),
      kept,
    ],
    [
      "with shares by its key",
      shared(),
      shared(),
      "32 % of users get a different value: add `seed: old` to keep who is picked",
    ],
    [
      "with a share by its key beside a rule without one",
      sharedBeside(german),
      sharedBeside(german),
      "32 % of users except users in `DE` (rule 1) get a different value: add `seed: old` to keep who is picked",
    ],
    [
      "with a share by its key of users whom a rule names",
      flag({ enabled: true, rules: [{ all: [german, { share: { by: "id", to: 20 } }], returnValue: true }] }),
      flag({ enabled: true, rules: [{ all: [german, { share: { by: "id", to: 20 } }], returnValue: true }] }),
      "some users get a different value: add `seed: old` to keep who is picked",
    ],
    [
      "with a different seed",
      shared("s"),
      shared("t"),
      "32 % of users get a different value, because the seed is different",
    ],
  ])("%s", (_, before, after, expected) => {
    const codes = expected === kept ? [] : ["users-rebucketed"]
    expect(sentences(before, after)).toEqual([
      ["flag-renamed", gone + expected],
      ["removed-while-enabled", ...codes],
    ])
  })
})
