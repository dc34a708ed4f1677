import { describe, expect, test } from "vitest"
import { type Claim, formatIndex, parseIndex, withoutHold } from "../../../cli/publish/revision-index.ts"

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
