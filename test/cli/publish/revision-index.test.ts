import { describe, expect, test } from "vitest"
import { formatIndex, parseIndex } from "../../../cli/publish/revision-index.ts"

describe("the index", () => {
  const claim = {
    revision: "5f1d",
    publishedAt: "2026-11-21T10:00:00.000Z",
    bases: { a: "a-5f" },
    perFlag: true,
  }
  const index = {
    formatVersion: 1 as const,
    claims: [claim],
    revisions: [{ revision: "5f1d", publishedAt: claim.publishedAt, flags: { a: 1 } }],
  }
  test("reads what it wrote", () => expect(parseIndex(formatIndex(index).toString())).toEqual(index))
  test.each([
    ["another version", { ...index, formatVersion: 2 }, "formatVersion"],
    ["no claims", { ...index, claims: undefined }, "claims"],
    ["a path for a revision", { ...index, claims: [{ ...claim, revision: "../../x" }] }, "claims"],
    ["a path for a base", { ...index, claims: [{ ...claim, bases: { a: "../x" } }] }, "claims"],
    ["no time", { ...index, claims: [{ ...claim, publishedAt: "soon" }] }, "claims"],
    ["a revision that is none", { ...index, revisions: [{}] }, "revisions"],
    ["a list", [], "formatVersion"],
  ])("%s is refused", (_, value, what) =>
    expect(() => parseIndex(JSON.stringify(value))).toThrow(`its ${what}`),
  )
})
