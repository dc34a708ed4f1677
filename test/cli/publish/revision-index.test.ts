import { describe, expect, test } from "vitest"
import {
  addClaim,
  type Claim,
  formatIndex,
  parseIndex,
  withoutHold,
} from "../../../cli/publish/revision-index.ts"

describe("the index", () => {
  const claim = {
    revision: "5f1d",
    publishedAt: "2026-11-21T10:00:00.000Z",
    bases: { a: "a-5f" },
    perFlag: true,
  }
  const index = {
    claims: [claim],
    revisions: [{ revision: "5f1d", publishedAt: claim.publishedAt, flags: { a: 1 } }],
  }
  const rollback = { from: "6a2e", by: "Ann", reason: "Orders fail" }
  const written = (...claims: readonly Claim[]) => formatIndex({ ...index, claims }).toString()
  test.each([
    ["a publication", claim],
    ["a rollback", { ...claim, rollback }],
  ])("reads what it wrote of %s", (_, one) => {
    expect(parseIndex(written(one))).toEqual({ ...index, claims: [one] })
  })
  test("a Flagstone without holds reads only version 1: while there is a rollback, the version is higher", () => {
    expect(JSON.parse(written(claim)).formatVersion).toBe(1)
    expect(JSON.parse(written(claim, { ...claim, rollback })).formatVersion).toBe(2)
  })
  test("lifting a hold removes it and those before it; a rollback in progress keeps its own", () => {
    const held = { ...claim, rollback }
    const claims = [{ ...held, revision: "7b" }, held, { ...held, revision: "4d" }]
    expect(withoutHold({ ...index, claims }, held).claims).toEqual([
      claims[0],
      claim,
      { ...claim, revision: "4d" },
    ])
  })
  test("a revision keeps the earlier times at which it became current, not those of claims that were not fulfilled", () => {
    const at = (minute: number) => ({ ...claim, publishedAt: `2026-11-21T10:0${minute}:00.000Z` })
    const claims = [at(2), at(1)]
    const [first] = index.revisions.map((one) => ({
      ...one,
      publishedAt: at(2).publishedAt,
      earlier: [at(1).publishedAt],
    }))
    if (first === undefined) throw new Error("no revision")
    const manifest = { environments: {} } as Parameters<typeof addClaim>[2]
    const earlierAfter = (fulfilled: Claim | undefined) =>
      addClaim({ claims, revisions: [first] }, at(3), manifest, fulfilled).revisions[0]?.earlier
    expect(earlierAfter(claims[0])).toEqual([at(2).publishedAt, at(1).publishedAt])
    expect(earlierAfter(claims[1])).toEqual([at(1).publishedAt])
    expect(earlierAfter(undefined)).toBe(undefined)
  })
  test.each([
    ["a different version", { ...index, formatVersion: 3 }, "formatVersion"],
    ["no claims", { ...index, claims: undefined }, "claims"],
    ["a path for a revision", { ...index, claims: [{ ...claim, revision: "../../x" }] }, "claims"],
    ["a rollback from nowhere", { ...index, claims: [{ ...claim, rollback: { by: "Ann" } }] }, "claims"],
    [
      "a reason that fills the log",
      { ...index, claims: [{ ...claim, rollback: { ...rollback, reason: "x".repeat(501) } }] },
      "claims",
    ],
    ["a path for a base", { ...index, claims: [{ ...claim, bases: { a: "../x" } }] }, "claims"],
    ["no time", { ...index, claims: [{ ...claim, publishedAt: "soon" }] }, "claims"],
    ["an invalid revision", { ...index, revisions: [{}] }, "revisions"],
    ["a list", [], "formatVersion"],
  ])("%s is refused", (_, value, what) =>
    expect(() =>
      parseIndex(JSON.stringify(Array.isArray(value) ? value : { formatVersion: 1, ...value })),
    ).toThrow(`its ${what}`),
  )
})
