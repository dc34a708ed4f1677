import { describe, expect, test } from "vitest"
import { describeChange } from "../../../cli/diff/describe.ts"
import { plainPhrase } from "../../../cli/diff/phrase.ts"
import { always, enabled, flag, german, ours } from "./flags.ts"
import { diffOf, sideOf } from "./sides.ts"

/** Each change with its impact and all that is said of it. */
function said(before: object, after: object): readonly string[] {
  return diffOf(sideOf({ f: before }), sideOf({ f: after })).changes.flatMap((change) => [
    `${change.impact}: ${plainPhrase(describeChange(change))}`,
    ...change.effects.map(({ who }) => `  ${plainPhrase(who)}`),
    ...(change.reason === undefined ? [] : [`  (${plainPhrase(change.reason)})`]),
  ])
}

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
        "  contexts whose `email` ends with `@example.com` now get `false` instead of `true`",
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
        "  contexts whose `email` ends with `@example.com` now get `true` instead of `false`",
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
        "  contexts whose `email` ends with `@example.com` now get `true` instead of `false` unless an earlier rule matches them",
      ],
    ],
    [
      "a rule before another that gives something else",
      flag(enabled(german)),
      flag(enabled(["beta", "exists", "", false], german)),
      ["behaviour: rule 1 added: `beta exists` gives `false`", "  contexts that have `beta` now get `false`"],
    ],
    [
      "a rule that always matches",
      flag(enabled(ours)),
      flag(enabled(ours, always)),
      ["behaviour: rule 2 added: `always` gives `true`", "  everyone in `production` now gets `true`"],
    ],
    [
      "a rule that gives what all get",
      flag(enabled(german)),
      flag(enabled(german, ["beta", "exists", "", false])),
      [
        "definition: rule 2 added: `beta exists` gives `false`",
        "  (another rule decides for all contexts it matches, or they get `false` anyway)",
      ],
    ],
    [
      "a rule that another decides for",
      flag(enabled(["country", "exists", "", true])),
      flag(enabled(["country", "exists", "", true], ["country", "equals", "DE", false])),
      [
        "definition: rule 2 added: `country equals DE` gives `false`",
        "  (another rule decides for all contexts it matches, or they get `false` anyway)",
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
        "  contexts whose `email` ends with `@example.com` now get `false` instead of `true`",
      ],
    ],
    [
      "another percentage",
      flag(enabled(["id", "percentage", "10", true])),
      flag(enabled(["id", "percentage", "25", true])),
      [
        "behaviour: rule 1 edited: value `10` → `25`",
        "  the share of contexts by `id` that get `true` rises from `10` % to `25` %",
      ],
    ],
    [
      "another list",
      flag(enabled(["country", "in", ["DE", "FR"], true])),
      flag(enabled(["country", "in", ["DE", "IT", "ES"], true])),
      [
        'behaviour: rule 1 edited: value `["DE","FR"]` → `["DE","IT","ES"]`',
        "  contexts whose `country` is `IT` or `ES` now get `true` instead of `false`",
        "  contexts whose `country` is `FR` now get `false` instead of `true`",
      ],
    ],
    [
      "a list in another order",
      flag(enabled(["country", "in", ["DE", "FR"], true])),
      flag(enabled(["country", "in", ["FR", "DE"], true])),
      [
        'definition: rule 1 edited: value `["DE","FR"]` → `["FR","DE"]`',
        "  (the contexts it matches get the same value as before)",
      ],
    ],
    [
      "another value returned",
      flag(enabled(ours)),
      flag(enabled(["email", "endsWith", "@example.com", false], german)),
      [
        "behaviour: rule 2 added: `country equals DE` gives `true`",
        "  contexts whose `country` is `DE` may now get another value",
        "behaviour: rule 1 edited: returnValue `true` → `false`",
        "  contexts whose `email` ends with `@example.com` now get `false` instead of `true`",
      ],
    ],
    [
      "rules that match the same contexts, the other way round",
      flag(enabled(ours, ["country", "equals", "DE", false], ["plan", "exists", "", true])),
      flag(enabled(["country", "equals", "DE", false], ours, ["plan", "exists", "", true])),
      [
        "behaviour: rule 2 moved to 1: `country equals DE` gives `false`",
        "  contexts whose `country` is `DE` and whose `email` ends with `@example.com` now get `false` instead of `true`",
      ],
    ],
    [
      "rules that give the same, the other way round",
      flag(enabled(ours, german)),
      flag(enabled(german, ours)),
      [
        "definition: rule 2 moved to 1: `country equals DE` gives `true`",
        "  (the rules it changed places with return the same value or match other contexts)",
      ],
    ],
    [
      "rules that match others, the other way round",
      flag(enabled(german, ["country", "equals", "FR", false], ours)),
      flag(enabled(["country", "equals", "FR", false], german, ours)),
      [
        "definition: rule 2 moved to 1: `country equals FR` gives `false`",
        "  (the rules it changed places with return the same value or match other contexts)",
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
