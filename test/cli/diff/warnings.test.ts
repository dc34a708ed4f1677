import { describe, expect, test } from "vitest"
import { always, enabled, flag, ours } from "./flags.ts"
import { diffOf, shop, sideOf } from "./sides.ts"

describe("warnings", () => {
  const warnings = (before: Record<string, unknown>, after: Record<string, unknown>, project = shop) =>
    diffOf(sideOf(before, project), sideOf(after, project)).warnings.map(
      ({ code, location: { source, span } }) => `${code} ${source.text.slice(span.start, span.end)}`,
    )
  const share = (value: string, on = true) =>
    `defaultValue: false\nenvironments: { production: { enabled: ${on}, rules: [{ attribute: id, operator: percentage, value: "${value}", returnValue: true }] }, staging: { enabled: true, rules: [{ operator: always, returnValue: true }] } }\n`
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
    [
      "type left out",
      { f: "type: string\ndefaultValue: a\n" },
      { f: "defaultValue: true\n" },
      ["type-changed "],
    ],
    ["removed while enabled", { f: everywhere }, {}, ['removed-while-enabled "production"']],
    ["removed while disabled", { f: flag({ enabled: false }) }, {}, []],
    ["renamed while enabled", { f: everywhere }, { g: everywhere }, ['removed-while-enabled "production"']],
    [
      "order",
      { f: flag(enabled(ours, ["country", "equals", "DE", false])) },
      { f: flag(enabled(["country", "equals", "DE", false], ours)) },
      ['order-changes-results "equals"'],
    ],
    [
      "order before a third",
      { f: flag(enabled(ours, ["country", "equals", "DE", false], ["plan", "exists", "", true])) },
      { f: flag(enabled(["country", "equals", "DE", false], ours, ["plan", "exists", "", true])) },
      ['order-changes-results "equals"'],
    ],
    ["percentage down", { f: share("50") }, { f: share("20") }, ['percentage-decreased "20"']],
    ["percentage up", { f: share("20") }, { f: share("50") }, []],
    ["percentage from 0 to 100", { f: share("0") }, { f: share("100") }, ['percentage-jumped "100"']],
    ["percentage where it is disabled", { f: share("50", false) }, { f: share("20", false) }, []],
    [
      "on before staging",
      { f: flag(undefined) },
      { f: flag(enabled(always)) },
      ['on-before-staging "production"'],
    ],
    ["on with staging", { f: flag(undefined) }, { f: everywhere }, []],
    ["added, on before staging", {}, { f: flag(enabled(ours)) }, ['on-before-staging "production"']],
    ["on already", { f: flag(enabled(always)) }, { f: flag(enabled(always), { owner: "me" }) }, []],
  ])("%s", (_, before, after, expected) => expect(warnings(before, after)).toEqual(expected))

  test("without protected environments, none of those that are about them", () => {
    const project = "project: shop\nenvironments: [staging, production]\n"
    expect(warnings({ f: everywhere }, {}, project)).toEqual([])
    expect(warnings({}, { f: flag(enabled(always)) }, project)).toEqual([])
  })
})
