import { describe, expect, test } from "vitest"
import { enabled, flag, ours } from "../flags.ts"
import { diffOf, shop, sideOf } from "../sides.ts"

describe("added and removed flags", () => {
  const kinds = (before: Record<string, object>, after: Record<string, object>, project = shop) =>
    diffOf(sideOf(before, project), sideOf(after, project)).changes.map((change) =>
      [change.kind, "flag" in change && change.flag, change.impact].join(" "),
    )

  test("a new flag matters if someone gets more than its default", () => {
    expect(kinds({}, { f: flag(undefined) })).toEqual(["flag-added f definition"])
    expect(kinds({}, { f: flag(enabled(ours)) })).toEqual(["flag-added f behaviour"])
  })

  test("a removed flag always matters", () =>
    expect(kinds({ f: flag(undefined) }, {})).toEqual(["flag-removed f behaviour"]))

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
    expect(kinds({ f: { ...described, id: "x" } }, { g: { ...described, id: "x", name: "g" } })).toEqual([
      "flag-renamed g behaviour",
    ])
  })
})
