import { describe, expect, test } from "vitest"
import { describeChange } from "../../../../cli/diff/changes/describe.ts"
import { plainPhrase } from "../../../../cli/phrases/phrase.ts"
import { always, enabled, flag, german, ours, type Rule } from "../flags.ts"
import { diffOf, sideOf } from "../sides.ts"

/** Each change with its impact and all that is said of it. */
function said(before: object, after: object): readonly string[] {
  return diffOf(sideOf({ f: before }), sideOf({ f: after })).changes.flatMap((change) => [
    `${change.impact}: ${plainPhrase(describeChange(change))}`,
    ...change.effects.map(({ who }) => `  ${plainPhrase(who)}`),
    ...(change.reason === undefined ? [] : [`  (${plainPhrase(change.reason)})`]),
  ])
}

const groupRule = (plan: string) => ({
  all: [
    { attribute: "country", operator: "equals", value: "DE" },
    { attribute: "plan", operator: "equals", value: plan },
  ],
  returnValue: true,
})

describe("who is affected", () => {
  test.each<readonly [string, object, object, readonly string[]]>([
    [
      "switched on",
      flag({ ...enabled(always), enabled: false }),
      flag(enabled(always)),
      ["behaviour: switched on", "  everyone in `production` now gets `true` instead of `false`"],
    ],
    [
      "switched off",
      flag(enabled(ours)),
      flag({ ...enabled(ours), enabled: false }),
      [
        "behaviour: switched off",
        "  people whose `email` ends with `@example.com` now get `false` instead of `true`",
      ],
    ],
    [
      "switched on without rules",
      flag({ enabled: false }),
      flag({ enabled: true }),
      ["definition: switched on", "  (everyone in `production` gets the same value as before)"],
    ],
    [
      "configured",
      flag(undefined),
      flag(enabled(ours)),
      [
        "behaviour: configured: enabled, 1 rule",
        "  people whose `email` ends with `@example.com` now get `true` instead of `false`",
      ],
    ],
    [
      "configured, disabled",
      flag(undefined),
      flag({ enabled: false }),
      ["definition: configured: disabled, 0 rules", "  (the flag is disabled in `production`)"],
    ],
    [
      "unconfigured",
      flag(enabled(always)),
      flag(undefined),
      [
        "behaviour: configuration removed: enabled, 1 rule",
        "  everyone in `production` now gets `false` instead of `true`",
      ],
    ],
    [
      "a rule after another",
      flag(enabled(german)),
      flag(enabled(german, ours)),
      [
        "behaviour: rule 2 added: `email endsWith @example.com` gives `true`",
        "  people whose `email` ends with `@example.com` now get `true` instead of `false` unless an earlier rule matches them",
      ],
    ],
    [
      "a rule before another that gives something else",
      flag(enabled(german)),
      flag(enabled(["beta", "exists", "", false], german)),
      [
        "behaviour: rule 1 added: `beta exists` gives `false`",
        "  people who have `beta` and whose `country` is `DE` now get `false` instead of `true`",
      ],
    ],
    [
      "a rule that always matches",
      flag(enabled(ours)),
      flag(enabled(ours, always)),
      [
        "behaviour: rule 2 added: `always` gives `true`",
        "  everyone in `production` whom no rule matches now gets `true` instead of `false`",
      ],
    ],
    [
      "a rule that gives what all get",
      flag(enabled(german)),
      flag(enabled(german, ["beta", "exists", "", false])),
      [
        "definition: rule 2 added: `beta exists` gives `false`",
        "  (everyone whom it decides for gets the same value as before)",
      ],
    ],
    [
      "a rule that another decides for",
      flag(enabled(["country", "exists", "", true])),
      flag(enabled(["country", "exists", "", true], ["country", "equals", "DE", false])),
      [
        "definition: rule 2 added: `country equals DE` gives `false`",
        "  (earlier rules match everyone whom it matches)",
      ],
    ],
    [
      "a rule where the flag is disabled",
      flag({ enabled: false }),
      flag({ ...enabled(ours), enabled: false }),
      [
        "definition: rule 1 added: `email endsWith @example.com` gives `true`",
        "  (the flag is disabled in `production`)",
      ],
    ],
    [
      "a rule removed",
      flag(enabled(ours)),
      flag(enabled()),
      [
        "behaviour: rule 1 removed: `email endsWith @example.com` gives `true`",
        "  people whose `email` ends with `@example.com` now get `false` instead of `true`",
      ],
    ],
    [
      "another percentage",
      flag(enabled(["id", "percentage", "10", true])),
      flag(enabled(["id", "percentage", "25", true])),
      [
        "behaviour: rule 1 edited: value `10` → `25`",
        "  the share of people by `id` that get `true` rises from `10` % to `25` %",
      ],
    ],
    [
      "another list",
      flag(enabled(["country", "in", ["DE", "FR"], true])),
      flag(enabled(["country", "in", ["DE", "IT", "ES"], true])),
      [
        "behaviour: rule 1 edited: value `IT`, `ES` added, `FR` removed",
        "  people whose `country` is `IT` or `ES` now get `true` instead of `false`",
        "  people whose `country` is `FR` now get `false` instead of `true`",
      ],
    ],
    [
      "a list in another order",
      flag(enabled(["country", "in", ["DE", "FR"], true])),
      flag(enabled(["country", "in", ["FR", "DE"], true])),
      [
        "definition: rule 1 edited: value in another order",
        "  (everyone whom it decides for gets the same value as before)",
      ],
    ],
    [
      "another value returned",
      flag(enabled(ours)),
      flag(enabled(["email", "endsWith", "@example.com", false], german)),
      [
        "behaviour: rule 2 added: `country equals DE` gives `true`",
        "  people whose `country` is `DE` now get `true` instead of `false` unless an earlier rule matches them",
        "behaviour: rule 1 edited: returnValue `true` → `false`",
        "  people whose `email` ends with `@example.com` now get `false` instead of `true`",
      ],
    ],
    [
      "rules that match the same contexts, the other way round",
      flag(enabled(ours, ["country", "equals", "DE", false], ["plan", "exists", "", true])),
      flag(enabled(["country", "equals", "DE", false], ours, ["plan", "exists", "", true])),
      [
        "behaviour: rule 2 moved to 1: `country equals DE` gives `false`",
        "  people whose `country` is `DE` and whose `email` ends with `@example.com` now get `false` instead of `true`",
      ],
    ],
    [
      "rules that give the same, the other way round",
      flag(enabled(ours, german)),
      flag(enabled(german, ours)),
      [
        "definition: rule 2 moved to 1: `country equals DE` gives `true`",
        "  (everyone whom it decides for gets the same value as before)",
      ],
    ],
    [
      "rules that match others, the other way round",
      flag(enabled(german, ["country", "equals", "FR", false], ours)),
      flag(enabled(["country", "equals", "FR", false], german, ours)),
      [
        "behaviour: rule 2 moved to 1: `country equals FR` gives `false`",
        '  contexts in `production` with a list such as `{"country":["FR","DE"]}` now get `false` instead of `true`',
      ],
    ],
    [
      "a rule that takes people from two others, one of which gives the same",
      flag(enabled(german, ["plan", "equals", "pro", false])),
      flag(enabled(["beta", "exists", "", false], german, ["plan", "equals", "pro", false])),
      [
        "behaviour: rule 1 added: `beta exists` gives `false`",
        "  people who have `beta` and whose `country` is `DE` now get `false` instead of `true`",
      ],
    ],
    [
      "a percentage that becomes smaller where another rule gives the same",
      flag(enabled(["id", "percentage", "50", true], german)),
      flag(enabled(["id", "percentage", "20", true], german)),
      [
        "behaviour: rule 1 edited: value `50` → `20`",
        "  the share of people by `id` that get `true`, unless another rule matches, falls from `50` % to `20` %",
      ],
    ],
    [
      "a percentage that grows for people who had another rule, because the others had the value already",
      flag(
        enabled(
          ["id", "percentage", "10", true],
          ["plan", "equals", "pro", false],
          ["id", "percentage", "50", true],
        ),
      ),
      flag(
        enabled(
          ["id", "percentage", "30", true],
          ["plan", "equals", "pro", false],
          ["id", "percentage", "50", true],
        ),
      ),
      [
        "behaviour: rule 1 edited: value `10` → `30`",
        "  people among the `30` % by `id` and whose `plan` is `pro` now get `true` instead of `false` unless an earlier rule matched them",
      ],
    ],
    [
      "an expression: it may be",
      flag(enabled(["email", "matches", "@example\\.com$", true])),
      flag(enabled(["email", "matches", "@(example|shop)\\.com$", true])),
      [
        "behaviour: rule 1 edited: value `@example\\.com$` → `@(example|shop)\\.com$`",
        "  people whose `email` matches `@(example|shop)\\.com$` may now get `true` instead of `false` unless an earlier rule matched them",
        "  people whose `email` matches `@example\\.com$` may now get `false` instead of `true` unless an earlier rule matches them",
      ],
    ],
    [
      "the same expression, and a rule before it that it has nothing to do with",
      flag(enabled(["email", "matches", "^a", true])),
      flag(enabled(["email", "notExists", "", false], ["email", "matches", "^a", true])),
      [
        "definition: rule 1 added: `email notExists` gives `false`",
        "  (everyone whom it decides for gets the same value as before)",
      ],
    ],
    [
      "more groups than a reader reads",
      flag(enabled()),
      flag(enabled(...Array.from({ length: 20 }, (_, at): Rule => [`a${at}`, "exists", "", true]))),
      Array.from({ length: 20 }, (_, at) => [
        `behaviour: rule ${at + 1} added: \`a${at} exists\` gives \`true\``,
        `  people who have \`a${at}\` now get \`true\` instead of \`false\`${at === 0 ? "" : " unless an earlier rule matches them"}`,
      ]).flat(),
    ],
    [
      "more groups than a reader reads, by one change",
      flag({
        ...enabled(...Array.from({ length: 20 }, (_, at): Rule => [`a${at}`, "exists", "", true])),
        enabled: false,
      }),
      flag(enabled(...Array.from({ length: 20 }, (_, at): Rule => [`a${at}`, "exists", "", true]))),
      [
        "behaviour: switched on",
        ...Array.from(
          { length: 12 },
          (_, at) =>
            `  people who have \`a${at}\` now get \`true\` instead of \`false\`${at === 0 ? "" : " unless an earlier rule matches them"}`,
        ),
        "  and 8 more groups of people",
      ],
    ],
    [
      "a group of conditions, in words",
      flag(enabled()),
      flag({
        enabled: true,
        rules: [groupRule("pro")],
      }),
      [
        "behaviour: rule 1 added: all of (`country equals DE`, `plan equals pro`) gives `true`",
        "  people whose `country` is `DE` and whose `plan` is `pro` now get `true` instead of `false`",
      ],
    ],
    [
      "another group of conditions",
      flag({ enabled: true, rules: [groupRule("pro")] }),
      flag({ enabled: true, rules: [groupRule("free")] }),
      [
        "behaviour: rule 1 edited: all of (`country equals DE`, `plan equals pro`) → all of (`country equals DE`, `plan equals free`)",
        "  people whose `country` is `DE` and whose `plan` is `free` now get `true` instead of `false`",
        "  people whose `country` is `DE` and whose `plan` is `pro` now get `false` instead of `true`",
      ],
    ],
    [
      "a value that is too long to be shown",
      { type: "json", defaultValue: { a: "x".repeat(200), b: 1 } },
      { type: "json", defaultValue: { a: "x".repeat(200), b: 2 } },
      [
        "behaviour: defaultValue: `b` `1` → `2`",
        ...["development", "staging", "production"].map(
          (name) => `  everyone in \`${name}\` now gets a value that differs in \`b\` \`1\` → \`2\``,
        ),
      ],
    ],
    [
      "an id that an author gives",
      flag(enabled(ours)),
      flag({
        enabled: true,
        rules: [
          { id: "staff", attribute: "email", operator: "endsWith", value: "@example.com", returnValue: true },
        ],
      }),
      ["definition: rule 1 edited: id `" + "5a2d6cc7" + "` → `staff`"],
    ],
    [
      "texts for people",
      flag(undefined, { description: "Old", owner: "a" }),
      flag(undefined, { description: "New", tags: ["x"], name: "F" }),
      [
        "definition: name: `f` → `F`",
        "definition: description: `Old` → `New`",
        "none: owner: `a` → nothing",
        'none: tags: nothing → `["x"]`',
      ],
    ],
    [
      "another default",
      { type: "json", defaultValue: null },
      {
        type: "json",
        defaultValue: { a: 1 },
        environments: { production: enabled(["", "always", "", null]) },
      },
      [
        'behaviour: defaultValue: `null` → `{"a":1}`',
        '  everyone in `development` now gets `{"a":1}` instead of `null`',
        '  everyone in `staging` now gets `{"a":1}` instead of `null`',
        "definition: configured: enabled, 1 rule",
        "  (everyone in `production` gets the same value as before)",
      ],
    ],
    [
      "the order of members in a value",
      { type: "json", defaultValue: { a: 1, b: 2 } },
      { type: "json", defaultValue: { b: 2, a: 1 } },
      [],
    ],
  ])("%s", (_, before, after, expected) =>
    expect(said(before, after).map((line) => line.replace(/`[0-9a-f]{8}`/, "`5a2d6cc7`"))).toEqual(expected),
  )
})

test("a new flag says who gets what, line by line", () => {
  const rules: readonly Rule[] = [
    ["country", "in", ["DE", "AT"], "german"],
    ["country", "equals", "DE", "never"],
    ["plan", "equals", "pro", "english"],
    ["country", "equals", "FR", "none"],
  ]
  const fresh = { type: "string", defaultValue: "none", environments: { production: enabled(...rules) } }
  const [change] = diffOf(sideOf({}), sideOf({ f: fresh })).changes
  expect(change?.effects.map(({ who }) => plainPhrase(who))).toEqual([
    'people whose `country` is `DE` or `AT` get `"german"`',
    'people whose `plan` is `pro` get `"english"` unless an earlier rule matches them',
    'everyone else in `production` gets `"none"`',
  ])
  const witnesses = change?.effects.flatMap(({ moves }) => moves.map(({ witness }) => witness))
  expect(witnesses).toEqual([{ country: "DE" }, { plan: "pro" }, {}])
})
