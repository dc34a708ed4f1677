import { describe, expect, test } from "vitest"
import {
  addClaim,
  type Claim,
  formatIndex,
  keepRevisions,
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
  const long = (length: number) => "x".repeat(length)
  const rollback = { from: "6a2e", by: "Ann", reason: "Orders fail" }
  const written = (...claims: readonly Claim[]) => formatIndex({ ...index, claims }).toString()
  test.each([
    ["a publication", claim],
    ["a rollback", { ...claim, rollback }],
    ["a rollback without a reason", { ...claim, rollback: { from: "6a2e", by: "" } }],
    ["earlier folders", { ...claim, oldBases: { a: ["a-4d", "a"] } }],
    ["the longest texts", { ...claim, rollback: { ...rollback, by: long(500), reason: long(500) } }],
    ["the longest target", { ...claim, target: long(1024) }],
    ["the longest names", { ...claim, revision: "a".repeat(128), bases: { a: "b".repeat(97) } }],
  ])("reads what it wrote of %s", (_, one) => {
    expect(parseIndex(written(one))).toEqual({ ...index, claims: [one] })
  })
  test("a Flagstone without holds reads only version 1: while there is a rollback, the version is higher", () => {
    expect(JSON.parse(written(claim)).formatVersion).toBe(1)
    expect(JSON.parse(written(claim, { ...claim, rollback })).formatVersion).toBe(2)
    expect(JSON.parse(written(claim, { ...claim, oldBases: {} })).formatVersion).toBe(2)
  })
  const revised = (more: object) => ({ ...index, revisions: [{ ...index.revisions[0], ...more }] })
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
      addClaim({ claims, revisions: [first] }, at(3), manifest, { fulfilled, isClean: true }).revisions[0]
        ?.earlier
    expect(earlierAfter(claims[0])).toEqual([at(2).publishedAt, at(1).publishedAt])
    expect(earlierAfter(claims[1])).toEqual([at(1).publishedAt])
    expect(earlierAfter(undefined)).toBe(undefined)
  })
  test("claims before the fulfilled one stay until their paths are clean, those after it until they are decided", () => {
    const of = (revision: string, minute: number) => ({
      ...{ ...claim, revision },
      publishedAt: `2026-11-21T10:0${minute}:00.000Z`,
    })
    const claims = [of("pending", 3), of("current", 2), of("old", 1)]
    const manifest = { environments: {} } as Parameters<typeof addClaim>[2]
    const kept = (fulfilled: Claim | undefined, isClean: boolean) =>
      addClaim({ ...index, claims }, of("next", 4), manifest, { fulfilled, isClean }).claims.map(
        ({ revision }) => revision,
      )
    expect(kept(claims[1], true)).toEqual(["next", "pending", "current"])
    for (const [fulfilled, isClean] of [
      [claims[1], false],
      [undefined, true],
    ] as const)
      expect(kept(fulfilled, isClean)).toEqual(["next", "pending", "current", "old"])
  })
  test("a revision that becomes current has its commit's time and counts, and is the newest", () => {
    const environments = { a: { flags: 3 }, b: { flags: 0 } }
    const manifest = { committedAt: "2026-11-21T09:00:00.000Z", environments } as unknown as Parameters<
      typeof addClaim
    >[2]
    const next = { ...claim, revision: "next", publishedAt: "2026-11-21T11:00:00.000Z" }
    expect(addClaim(index, next, manifest, { fulfilled: claim, isClean: true }).revisions).toEqual([
      {
        ...{ revision: "next", publishedAt: "2026-11-21T11:00:00.000Z" },
        ...{ committedAt: "2026-11-21T09:00:00.000Z", flags: { a: 3, b: 0 } },
      },
      ...index.revisions,
    ])
  })
  test("with fewer revisions it forgets what was current before the newest of the others", () => {
    const day = (day: number) => `2026-11-${day}T10:00:00.000Z`
    const revision = (name: string, ...days: readonly number[]) => {
      const [publishedAt = "", ...earlier] = days.map(day)
      return { revision: name, publishedAt, flags: {}, ...(earlier.length > 0 && { earlier }) }
    }
    const [a, b, c] = [revision("a", 28, 25, 22), revision("b", 27, 21), revision("c", 24, 20)]
    const some = { ...index, revisions: [a, b, c] }
    expect(keepRevisions(some, [a, b]).revisions).toEqual([revision("a", 28, 25), revision("b", 27)])
    expect(keepRevisions(some, [a]).revisions).toEqual([revision("a", 28)])
    expect(keepRevisions(some, [b]).claims).toBe(index.claims)
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
    [
      "a reason that is no text",
      { ...index, claims: [{ ...claim, rollback: { ...rollback, reason: 5 } }] },
      "claims",
    ],
    [
      "a name that fills the log",
      { ...index, claims: [{ ...claim, rollback: { ...rollback, by: long(501) } }] },
      "claims",
    ],
    [
      "a rollback from a path",
      { ...index, claims: [{ ...claim, rollback: { ...rollback, from: "../x" } }] },
      "claims",
    ],
    ["a rollback that is a text", { ...index, claims: [{ ...claim, rollback: "6a2e" }] }, "claims"],
    ["a target that is too long", { ...index, claims: [{ ...claim, target: long(1025) }] }, "claims"],
    ["a revision that is too long", { ...index, claims: [{ ...claim, revision: long(129) }] }, "claims"],
    ["a revision that begins with a dash", { ...index, claims: [{ ...claim, revision: "-x" }] }, "claims"],
    ["one good claim and one that is none", { ...index, claims: [claim, null] }, "claims"],
    ["a perFlag that is a text", { ...index, claims: [{ ...claim, perFlag: "yes" }] }, "claims"],
    ["no bases", { ...index, claims: [{ ...claim, bases: undefined }] }, "claims"],
    ["bases of which one is none", { ...index, claims: [{ ...claim, bases: { a: "a", b: 5 } }] }, "claims"],
    ["a base that is too long", { ...index, claims: [{ ...claim, bases: { a: long(98) } }] }, "claims"],
    ["the manifest as a base", { ...index, claims: [{ ...claim, bases: { a: "manifest.json" } }] }, "claims"],
    [
      "a path for an old base",
      { ...index, claims: [{ ...claim, oldBases: { a: ["a", "../x"] } }] },
      "claims",
    ],
    ["an old base that is in no list", { ...index, claims: [{ ...claim, oldBases: { a: "a" } }] }, "claims"],
    ["a path for a base", { ...index, claims: [{ ...claim, bases: { a: "../x" } }] }, "claims"],
    ["no time", { ...index, claims: [{ ...claim, publishedAt: "soon" }] }, "claims"],
    ["an invalid revision", { ...index, revisions: [{}] }, "revisions"],
    ["no revisions", { ...index, revisions: {} }, "revisions"],
    ["a revision that is null", { ...index, revisions: [...index.revisions, null] }, "revisions"],
    ["a revision without a name", revised({ revision: undefined }), "revisions"],
    ["a revision without a time", revised({ publishedAt: "soon" }), "revisions"],
    ["an earlier time that is none", revised({ earlier: [claim.publishedAt, "soon"] }), "revisions"],
    ["earlier times that are no list", revised({ earlier: claim.publishedAt }), "revisions"],
    ["a commit without a time", revised({ committedAt: "soon" }), "revisions"],
    ["a revision without flags", revised({ flags: null }), "revisions"],
    ["counts of which one is none", revised({ flags: { a: 1, b: "2" } }), "revisions"],
    ["a list", [], "formatVersion"],
  ])("%s is refused", (_, value, what) =>
    expect(() =>
      parseIndex(JSON.stringify(Array.isArray(value) ? value : { formatVersion: 1, ...value })),
    ).toThrow(`its ${what}`),
  )
  test("null is refused", () => expect(() => parseIndex("null")).toThrow("its formatVersion"))
})
