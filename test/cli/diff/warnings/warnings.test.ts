import { describe, expect, test } from "vitest"
import { plainPhrase } from "../../../../cli/diagnostics/phrase.ts"
import type { Side } from "../../../../cli/diff/sides/side.ts"
import { always, enabled, flag, german, ours, type Rule } from "../flags.ts"
import { diffOf, shop, sideOf } from "../sides.ts"

describe("warnings", () => {
  const warnings = (before: Record<string, unknown>, after: Record<string, unknown>, project = shop) =>
    diffOf(sideOf(before, project), sideOf(after, project)).warnings.map(
      ({ code, location: { source, span } }) => `${code} ${source.text.slice(span.start, span.end)}`,
    )
  const share = (value: string, on = true) =>
    `defaultValue: false\nenvironments: { production: { enabled: ${on}, rules: [{ attribute: id, operator: percentage, value: "${value}", returnValue: true }] }, staging: { enabled: true, rules: [{ operator: always, returnValue: true }] } }\n`
  const grouped = (value: string) =>
    production({
      enabled: true,
      rules: [
        {
          all: [
            { attribute: "country", operator: "equals", value: "DE" },
            { attribute: "id", operator: "percentage", value },
          ],
          returnValue: true,
        },
      ],
    })
  const within = (value: string, condition: object) => ({
    enabled: true,
    rules: [{ all: [condition, { attribute: "id", operator: "percentage", value }], returnValue: true }],
  })
  const ofGermany = { attribute: "country", operator: "equals", value: "DE" }
  const window = (from: number, to: number) => ({
    share: { by: "id", from, to, seed: "s" },
    returnValue: true,
  })
  const outside = {
    enabled: true,
    rules: [{ none: [{ attribute: "country", operator: "equals", value: "DE" }], returnValue: true }],
  }
  const production = (configuration: object | undefined) => ({
    defaultValue: false,
    environments: { staging: enabled(always), ...(configuration && { production: configuration }) },
  })
  const percentage = (value: string) => ({ attribute: "id", operator: "percentage", value })
  const beside = (value: string) => ({
    enabled: true,
    rules: [{ any: [ofGermany, percentage(value)], returnValue: true }],
  })
  const seeded = (to: number) =>
    production({ enabled: true, rules: [{ share: { by: "id", to, seed: "s" }, returnValue: true }] })
  const dealt = (share: number) =>
    production({ enabled: true, rules: [{ split: { by: "id", into: [{ share, returnValue: true }] } }] })
  const words = (...rules: readonly Rule[]) => ({
    type: "string",
    defaultValue: "none",
    environments: { staging: enabled(["", "always", "", "a"]), production: enabled(...rules) },
  })
  const everywhere = {
    environments: { staging: enabled(always), production: enabled(always) },
    defaultValue: false,
  }

  test.each<readonly [string, Record<string, unknown>, Record<string, unknown>, readonly string[]]>([
    [
      "type",
      { f: "defaultValue: false\n" },
      { f: "type: string\ndefaultValue: a\n" },
      ["type-changed string"],
    ],
    ["removed while enabled", { f: everywhere }, {}, ['removed-while-enabled "production"']],
    ["removed while disabled", { f: flag({ enabled: false }) }, {}, []],
    [
      "renamed, with other users in each share",
      { f: share("20") },
      { g: share("20") },
      ["removed-while-enabled production", "users-rebucketed id"],
    ],
    ["renamed with its users", { f: seeded(50) }, { g: seeded(50) }, ['removed-while-enabled "production"']],
    [
      "renamed with another seed",
      { f: production({ enabled: true, rules: [window(20, 40)] }) },
      {
        g: production({
          enabled: true,
          rules: [{ share: { by: "id", from: 20, to: 40, seed: "t" }, returnValue: true }],
        }),
      },
      ['removed-while-enabled "production"', 'users-rebucketed "id"'],
    ],
    [
      "order",
      { f: flag(enabled(ours, ["country", "equals", "DE", false])) },
      { f: flag(enabled(["country", "equals", "DE", false], ours)) },
      ['users-lose "equals"'],
    ],
    ["percentage down", { f: share("50") }, { f: share("20") }, ['users-lose "20"']],
    ["percentage from 0 to 100", { f: share("0") }, { f: share("100") }, ['everyone-changes "100"']],
    ["percentage where it is disabled", { f: share("50", false) }, { f: share("20", false) }, []],
    [
      "on before staging",
      { f: flag(undefined) },
      { f: flag(enabled(always)) },
      ['everyone-changes "always"', 'on-before-staging "production"'],
    ],
    ["added, on before staging", {}, { f: flag(enabled(ours)) }, ['on-before-staging "production"']],
    [
      "a percentage that gives way to everyone",
      { f: share("50") },
      { f: everywhere },
      ['many-change "always"'],
    ],
    ["everyone who gives way to a percentage", { f: everywhere }, { f: share("90") }, ['users-lose "90"']],
    [
      "everyone left by a share that stays",
      { f: words(["id", "percentage", "40", "a"], ["", "always", "", "b"]) },
      { f: words(["id", "percentage", "40", "a"]) },
      ['many-change "production"'],
    ],
    [
      "everyone gets one of several other values",
      { f: words(["", "always", "", "a"]) },
      { f: words(["country", "equals", "DE", "b"], ["country", "notEquals", "DE", "c"]) },
      ['everyone-changes "notEquals"', 'users-lose "production"'],
    ],
    [
      "everyone is split among other values",
      { f: words(["", "always", "", "a"]) },
      { f: words(["id", "percentage", "50", "b"], ["id", "percentage", "100", "c"]) },
      ['everyone-changes "50"', 'users-lose "50"'],
    ],
    [
      "a rule in the place of a percentage",
      { f: share("90") },
      { f: production(enabled(german)) },
      ['many-change "equals"'],
    ],
    ["a percentage of 100 that does", { f: share("100") }, { f: everywhere }, []],
    [
      "a percentage by a different attribute",
      { f: share("50") },
      { f: share("50").replace("id", "email") },
      ['many-change "50"'],
    ],
    ["a default", { f: "defaultValue: false\n" }, { f: "defaultValue: true\n" }, ["everyone-changes true"]],
    [
      "a default that no one there gets",
      {
        f: {
          ...flag(enabled(always)),
          environments: { staging: enabled(always), production: enabled(always) },
        },
      },
      {
        f: {
          ...flag(enabled(always)),
          environments: { staging: enabled(always), production: enabled(always) },
          defaultValue: true,
        },
      },
      [],
    ],
    [
      "switched off",
      { f: everywhere },
      {
        f: {
          ...everywhere,
          environments: { ...everywhere.environments, production: { ...enabled(always), enabled: false } },
        },
      },
      ["everyone-changes false"],
    ],
    [
      "no longer configured",
      { f: everywhere },
      { f: { ...everywhere, environments: { staging: enabled(always) } } },
      ['everyone-changes "production"'],
    ],
    ["switched off while no one had it", { f: flag(enabled()) }, { f: flag({ enabled: false }) }, []],
    [
      "a rule in the place of all",
      { f: everywhere },
      { f: production(enabled(german)) },
      ['everyone-changes "equals"'],
    ],
    [
      "everyone outside some",
      { f: production(undefined) },
      { f: production(outside) },
      ['everyone-changes "none"'],
    ],
    [
      "everyone gets one of two values, of which the default is neither",
      { f: words(["", "always", "", "none"]) },
      { f: words(["country", "exists", "", "b"], ["country", "notExists", "", "c"]) },
      ['everyone-changes "exists"'],
    ],
    [
      "everyone but some gets one of two values",
      { f: words(["", "always", "", "none"]) },
      { f: words(["country", "equals", "DE", "b"], ["country", "notExists", "", "c"]) },
      [],
    ],
    ["from 40 to 90", { f: share("40") }, { f: share("90") }, ['many-change "90"']],
    ["from 50 to 10 in a group", { f: grouped("50") }, { f: grouped("10") }, ['users-lose "all"']],
    ["from 0 to 100 in a group", { f: grouped("0") }, { f: grouped("100") }, ['many-change "all"']],
    [
      "a percentage beside others",
      { f: production(undefined) },
      { f: production(beside("80")) },
      ['many-change "any"'],
    ],
    [
      "all but a percentage, or others",
      { f: production(undefined) },
      {
        f: production({
          enabled: true,
          rules: [{ any: [ofGermany, { none: [percentage("90")] }], returnValue: true }],
        }),
      },
      [],
    ],
    ["from 1 to 100 of a split", { f: dealt(1) }, { f: dealt(100) }, ["many-change 100"]],
    ...["notEquals", "notIn"].flatMap((operator) => {
      const most: Rule = ["country", operator, operator === "notIn" ? ["DE"] : "DE", true]
      const [before, after] = [{ f: everywhere }, { f: production(enabled(most)) }]
      return [
        [`all but those whom ${operator} leaves`, before, after, [`users-lose "${operator}"`]] as const,
        [`those whom ${operator} left`, after, before, []] as const,
      ]
    }),
    [
      "everyone whom a rule for most users leaves",
      { f: production(enabled(["country", "notEquals", "DE", false], always)) },
      { f: production(enabled(["country", "notEquals", "DE", false], ["", "always", "", false])) },
      ['users-lose "always"'],
    ],
    [
      "a percentage below a rule, switched off",
      { f: production(enabled(ours, ["id", "percentage", "90", true])) },
      { f: production({ ...enabled(ours, ["id", "percentage", "90", true]), enabled: false }) },
      ["many-change false"],
    ],
    [
      "a percentage that loses the rule above it",
      { f: production(enabled(german, ["id", "percentage", "50", true])) },
      { f: production(enabled(["id", "percentage", "20", true])) },
      ['users-lose "production"', 'users-lose "20"'],
    ],
    [
      "a percentage that becomes all who have the attribute",
      { f: share("10") },
      { f: production(enabled(["id", "exists", "", true])) },
      ['many-change "exists"'],
    ],
    [
      "a percentage beside an expression",
      { f: production(within("50", { attribute: "email", operator: "matches", value: "^a" })) },
      { f: production(within("20", { attribute: "email", operator: "matches", value: "^a" })) },
      ['users-lose "all"'],
    ],
    [
      "a share of other users",
      { f: production({ enabled: true, rules: [window(0, 20)] }) },
      { f: production({ enabled: true, rules: [window(80, 100)] }) },
      ["users-lose 100"],
    ],
  ])("%s", (_, before, after, expected) => expect(warnings(before, after)).toEqual(expected))

  test("say which users, and how many", () => {
    const ofMany = (...first: readonly Rule[]) => {
      const side = (value: string) =>
        sideOf({ f: production(enabled(...first, ["id", "percentage", value, true])) })
      return diffOf(side("1"), side("100")).warnings[0]?.message.split(".")[0]
    }
    expect(ofMany()).toBe("In `production`, 99 % of users get a different value at once (limit: 50 %)")
    expect(ofMany(german)).toMatch(/^In `production`, 99 % of users except users in `DE` \(rule 1\) get a/)
    const [some] = diffOf(sideOf({ f: grouped("1") }), sideOf({ f: grouped("100") })).warnings
    expect(some?.message).toMatch(
      /^In `production`, 99 % of users in `DE` get a different value at once \(limit/,
    )
  })

  describe("about something uncertain that may affect everyone", () => {
    const ours = { attribute: "x", operator: "ours", value: "1" }
    const tenants = Array.from({ length: 1_000 }, (_, at): Rule => [`a${at}`, "equals", "x", false])
    const side = (...rules: readonly object[]) =>
      sideOf({ f: production({ enabled: true, rules }) }, `${shop}operators: [ours]\n`)
    const own = (...rules: readonly Rule[]) =>
      side({ ...ours, returnValue: false }, ...enabled(...rules).rules)
    const large = (...rules: readonly Rule[]) => side(...enabled(...tenants, ...rules).rules)
    const always = (returnValue: boolean): Rule => ["", "always", "", returnValue]

    const everyone = ["everyone whom no rule names gets a different value at once"]

    test.each<readonly [string, Side, Side, readonly string[]]>([
      ["everyone after an operator of one's own", own(always(true)), own(always(false)), everyone],
      [
        "many after one",
        own(["id", "percentage", "1", true]),
        own(["id", "percentage", "99", true]),
        ["98 % of users except users who match `x ours 1` .rule 1. get"],
      ],
      ["everyone after a thousand rules", large(always(true)), large(always(false)), everyone],
      [
        "many after them",
        large(["id", "percentage", "1", true]),
        large(["id", "percentage", "99", true]),
        ["98 % of users get"],
      ],
      ["few after them", large(["id", "percentage", "1", true]), large(["id", "percentage", "9", true]), []],
      [
        "some after them",
        large(german),
        large(),
        ["users may lose what they had and get the default; the flag is too large to say which"],
      ],
      ["a removed rule for everyone after them", large(always(true)), large(), everyone],
      ["a thousand rules in a different order", large(), side(...enabled(...tenants.toReversed()).rules), []],
    ])("%s", (_, before, after, expected) => {
      const { changes, warnings } = diffOf(before, after)
      const said = changes.flatMap(({ effects }) => effects.map(({ who }) => plainPhrase(who)))
      for (const one of said) expect(one).toMatch(/ may get /)
      const messages = warnings.map(({ message }) => message.replace("In `production`, ", ""))
      expect(messages).toEqual(expected.map((start) => expect.stringMatching(new RegExp(`^${start}`))))
    })
  })

  test("environments that share a rule share its warnings", () => {
    const side = (value: string) =>
      sideOf(
        {
          f: `defaultValue: false
environments:
  eu: &same
    enabled: true
    rules: [{ attribute: id, operator: percentage, value: "${value}", returnValue: true }]
  us: *same
  asia: { enabled: true, rules: [{ attribute: id, operator: percentage, value: "${value}", returnValue: true }] }
`,
        },
        "project: shop\nenvironments: [eu, us, asia]\nprotected: [eu, us]\n",
      )
    const messages = (before: string, after: string) =>
      diffOf(side(before), side(after)).warnings.map(({ message }) => message.split(" (")[0])
    expect(messages("1", "99")).toEqual(["In `eu` and `us`, 98 % of users get a different value at once"])
    expect(messages("9", "5")).toEqual([
      "In `eu` and `us`, 4 % of users lose `true` and get `false`. Check that this is intended.",
    ])
  })

  test("a flag that is renamed where it is enabled has one warning for all environments", () => {
    const side = (key: string) => {
      const configurations = { eu: enabled(always), us: enabled(always) }
      return sideOf(
        { [key]: { defaultValue: false, environments: configurations } },
        "project: shop\nenvironments: [eu, us]\nprotected: [eu, us]\n",
      )
    }
    expect(diffOf(side("old-cart"), side("cart")).warnings.map(({ message }) => message)).toEqual([
      "The flag is renamed while it is enabled in `eu` and `us`: clients that still ask for it get no flag. Keep it beside the new one until no client asks for it.",
    ])
  })

  test.each<readonly [string, string, readonly string[]]>([
    [
      "removed",
      "project: shop\nenvironments: [development, staging]\n",
      ["protected-environment-removed production: `production` was protected and is gone"],
    ],
    [
      "renamed at its place",
      "project: shop\nenvironments: [development, staging, live]\n",
      ["protected-environment-removed production: `production` was protected and is now `live`"],
    ],
    [
      "renamed with its id",
      "project: shop\nenvironments: [{ name: live, id: production }, development]\n",
      ["protected-environment-removed production: `production` was protected and is now `live`"],
    ],
    [
      "renamed with its id, and moved",
      "project: shop\nenvironments: [{ name: live, id: production }, development, qa]\n",
      ["protected-environment-removed production: `production` was protected and is now `live`"],
    ],
    [
      "no longer protected",
      "project: shop\nenvironments: [development, staging, production]\nprotected: [staging]\n",
      ["protection-removed [staging]: `production` is no longer protected"],
    ],
    [
      "the project renamed",
      shop.replace("shop", "store"),
      ["project-renamed store: The project was `shop` and is now `store`"],
    ],
  ])("project file: %s", (_, project, expected) => {
    const found = diffOf(sideOf({}), sideOf({}, project)).warnings.map(
      ({ code, message, location: { source, span } }) =>
        `${code} ${source.text.slice(span.start, span.end)}: ${message.split(/[:,.]/)[0]}`,
    )
    expect(found).toEqual(expected)
  })
})

test("a percentage in a segment that falls, rises or is re-bucketed is warned of where a flag uses it", () => {
  const codes = (before: object, after: object) => {
    const side = (segment: object) =>
      sideOf(
        {
          f: {
            defaultValue: false,
            environments: {
              production: { enabled: true, rules: [{ segment: "some", returnValue: true }] },
              staging: enabled(always),
            },
          },
        },
        undefined,
        { some: segment },
      )
    return diffOf(side(before), side(after)).warnings.map(
      ({ code, location: { source, span } }) => `${code} ${source.text.slice(span.start, span.end)}`,
    )
  }
  const share = (value: string, attribute = "id") => ({ attribute, operator: "percentage", value })
  const some = (value: string) => ({
    all: [{ attribute: "country", operator: "equals", value: "DE" }, share(value)],
  })
  expect(codes(share("50"), share("10"))).toEqual(['users-lose "segment"'])
  expect(codes(some("50"), some("10"))).toEqual(['users-lose "segment"'])
  expect(codes(some("0"), some("100"))).toEqual(['many-change "segment"'])
  expect(codes(share("5"), share("70"))).toEqual(['many-change "segment"'])
  expect(codes(share("20"), share("20", "account"))).toEqual(['users-rebucketed "segment"'])
  expect(
    codes({ share: { by: "id", to: 20, seed: "a" } }, { share: { by: "id", to: 20, seed: "b" } }),
  ).toEqual(['users-rebucketed "segment"'])
})

test("shares of different users that change together are each warned of once, at their own rule", () => {
  const [german, french] = ["DE", "FR"].map((value) => ({ attribute: "country", operator: "equals", value }))
  const linesOf = (
    first: readonly object[],
    second: readonly object[],
    file: object = { defaultValue: false },
  ) => {
    const [before, after] = [first, second].map((rules) =>
      sideOf({
        f: JSON.stringify({ ...file, environments: { production: { enabled: true, rules } } }, null, 1),
      }),
    )
    const { warnings } = diffOf(before ?? sideOf({}), after ?? sideOf({}))
    return warnings.map(({ code, location: { source, span } }) => [
      code,
      source.text.slice(0, span.end).split('"split"').length - 1,
      source.text.slice(0, span.end).split('"all"').length - 1,
    ])
  }
  const split = (...shares: readonly number[]) => ({
    split: { by: "id", into: shares.map((share, at) => ({ share, returnValue: "abc".charAt(at) })) },
  })
  const words = { type: "string", defaultValue: "none" }
  expect(
    linesOf(
      [{ ...german, ...split(30, 30, 30) }, split(20, 20, 60)],
      [{ ...german, ...split(40, 20, 30) }, split(30, 10, 60)],
      words,
    ),
  ).toEqual([
    ["users-rebucketed", 1, 0],
    ["users-rebucketed", 2, 0],
  ])
  const percent = (country: object | undefined, value: string) => ({
    all: [country, { attribute: "id", operator: "percentage", value }],
    returnValue: true,
  })
  expect(
    linesOf([percent(german, "80"), percent(french, "70")], [percent(german, "10"), percent(french, "20")]),
  ).toEqual([
    ["many-change", 0, 1],
    ["many-change", 0, 2],
  ])
})

describe("a percentage by seeds", () => {
  const seeded = (to: number, seed?: string) => ({ share: { by: "id", to, ...(seed && { seed }) } })
  const flagWith = (rule: object) => ({
    defaultValue: false,
    environments: {
      production: { enabled: true, rules: [{ ...rule, returnValue: true }] },
      staging: enabled(always),
    },
  })
  const dealtAgain = (before: Record<string, unknown>, after: Record<string, unknown>) =>
    diffOf(sideOf(before), sideOf(after)).warnings.flatMap(({ code, location: { source } }) =>
      code === "users-rebucketed" ? [source.path] : [],
    )

  test("that is only added or only removed re-buckets no one", () => {
    const both = flagWith({ all: [seeded(50, "checkout"), seeded(10)] })
    const one = flagWith(seeded(50, "checkout"))
    expect(dealtAgain({ f: both }, { f: one })).toEqual([])
    expect(dealtAgain({ f: one }, { f: both })).toEqual([])
    expect(
      dealtAgain({ f: both }, { f: flagWith({ all: [seeded(50, "checkout"), seeded(10, "c")] }) }),
    ).toEqual(["/flags/f.yaml"])
  })

  test("is warned of in the flag that has the seed, not in those that depend on it", () => {
    const side = (seed: string) => ({
      a: flagWith(seeded(20, seed)),
      b: flagWith({ flag: "a" }),
      c: flagWith({ all: [{ flag: "b" }, { attribute: "country", operator: "equals", value: "DE" }] }),
    })
    expect(dealtAgain(side("one"), side("two"))).toEqual(["/flags/a.yaml"])
  })

  test("is warned of beside a rule that only follows another flag", () => {
    const side = (plan: string, seed: string) => ({
      a: flagWith({ attribute: "plan", operator: "equals", value: plan }),
      c: {
        defaultValue: false,
        environments: {
          production: {
            enabled: true,
            rules: [
              {
                all: [{ flag: "a" }, { attribute: "country", operator: "equals", value: "DE" }],
                returnValue: true,
              },
              { ...seeded(20, seed), returnValue: true },
            ],
          },
          staging: enabled(always),
        },
      },
    })
    expect(dealtAgain(side("pro", "one"), side("team", "two"))).toEqual(["/flags/c.yaml"])
  })

  test("behind rules of the other flag is a percentage of the users they leave", () => {
    const warnings = (...sides: readonly [before: object, after: object]) => {
      const [before, after] = sides.map((share) =>
        sideOf({
          a: flag(undefined, {
            environments: {
              staging: enabled(always),
              production: {
                enabled: true,
                rules: [
                  { attribute: "plan", operator: "equals", value: "pro", returnValue: true },
                  { attribute: "country", operator: "equals", value: "DE", returnValue: false },
                  { ...share, returnValue: true },
                ],
              },
            },
          }),
          b: flagWith({ all: [{ flag: "a" }, { attribute: "age", operator: "notEquals", value: "1" }] }),
        }),
      )
      return before && after && diffOf(before, after).warnings
    }
    expect(warnings(seeded(10, "one"), seeded(10, "two"))?.map(({ code }) => code)).toEqual([
      "users-rebucketed",
    ])
    expect(warnings(seeded(1), seeded(100))?.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        "99 % of users except users with `plan` `pro` (rule 1) and users in `DE` (rule 2) get",
      ),
      expect.stringContaining(
        "99 % of users with `age` other than `1` outside `DE` without `plan` `pro` get",
      ),
    ])
  })
})
