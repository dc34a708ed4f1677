import { describe, expect, test } from "vitest"
import {
  addRevision,
  formatIndex,
  type PublishedRevision,
  parseIndex,
  withoutHold,
  withoutRevisions,
} from "../../../cli/publish/revision-index.ts"

const layout = { bases: { a: "a-5f" }, perFlag: true }
const one = { revision: "5f1d", publishedAt: "2026-11-21T10:00:00.000Z", flags: { a: 1 }, layout }
const rollback = { from: "6a2e", by: "Ann", reason: "Orders fail" }
const long = (length: number) => "x".repeat(length)

describe("the index", () => {
  test.each([
    ["a publication", one],
    ["one whose paths are clean", { ...one, layout: undefined }],
    ["one that lost", { ...one, isLost: true as const }],
    ["a commit", { ...one, committedAt: "2026-11-21T09:00:00.000Z" }],
    ["a rollback", { ...one, rollback }],
    ["a rollback that was lifted", { ...one, rollback: { ...rollback, isLifted: true as const } }],
    ["a rollback without a reason", { ...one, rollback: { from: "6a2e", by: "" } }],
    ["earlier folders", { ...one, layout: { ...layout, oldBases: { a: ["a-4d", "a"] } } }],
    ["the longest texts", { ...one, rollback: { ...rollback, by: long(500), reason: long(500) } }],
    ["the longest target", { ...one, target: long(1024) }],
    [
      "the longest names",
      { ...one, revision: "a".repeat(128), layout: { ...layout, bases: { a: long(97) } } },
    ],
  ])("reads what it wrote of %s", (_, written) => {
    const index = { revisions: [written as PublishedRevision] }
    expect(parseIndex(formatIndex(index).toString())).toEqual(index)
  })

  const more = (values: object) => ({ revisions: [one, { ...one, ...values }] })
  const laidOut = (values: object) => more({ layout: { ...layout, ...values } })
  test.each([
    ["a newer version", { ...more({}), formatVersion: 4 }, "formatVersion"],
    ["an older version without claims", { ...more({}), formatVersion: 2 }, "lists"],
    [
      "an older version with a path for a base",
      { formatVersion: 1, claims: [{ ...one, bases: { a: "../x" }, perFlag: true }], revisions: [] },
      "revisions",
    ],
    ["no revisions", { revisions: {} }, "revisions"],
    ["a revision that is null", { revisions: [one, null] }, "revisions"],
    ["a revision without a name", more({ revision: undefined }), "revisions"],
    ["a path for a revision", more({ revision: "../../x" }), "revisions"],
    ["a revision that is too long", more({ revision: long(129) }), "revisions"],
    ["a revision that begins with a dash", more({ revision: "-x" }), "revisions"],
    ["no time", more({ publishedAt: "soon" }), "revisions"],
    ["a commit without a time", more({ committedAt: "soon" }), "revisions"],
    ["a revision without flags", more({ flags: null }), "revisions"],
    ["counts of which one is none", more({ flags: { a: 1, b: "2" } }), "revisions"],
    ["a target that is too long", more({ target: long(1025) }), "revisions"],
    ["a mark that is none", more({ isLost: "yes" }), "revisions"],
    ["a rollback from nowhere", more({ rollback: { by: "Ann" } }), "revisions"],
    ["a rollback from a path", more({ rollback: { ...rollback, from: "../x" } }), "revisions"],
    ["a rollback that is a text", more({ rollback: "6a2e" }), "revisions"],
    ["a rollback that is lifted by a text", more({ rollback: { ...rollback, isLifted: "" } }), "revisions"],
    ["a reason that fills the log", more({ rollback: { ...rollback, reason: long(501) } }), "revisions"],
    ["a reason that is no text", more({ rollback: { ...rollback, reason: 5 } }), "revisions"],
    ["a name that fills the log", more({ rollback: { ...rollback, by: long(501) } }), "revisions"],
    ["a layout that is a text", more({ layout: "a" }), "revisions"],
    ["a perFlag that is a text", laidOut({ perFlag: "yes" }), "revisions"],
    ["no bases", laidOut({ bases: undefined }), "revisions"],
    ["bases of which one is none", laidOut({ bases: { a: "a", b: 5 } }), "revisions"],
    ["a base that is too long", laidOut({ bases: { a: long(98) } }), "revisions"],
    ["the manifest as a base", laidOut({ bases: { a: "manifest.json" } }), "revisions"],
    ["a path for a base", laidOut({ bases: { a: "../x" } }), "revisions"],
    ["a path for an old base", laidOut({ oldBases: { a: ["a", "../x"] } }), "revisions"],
    ["an old base that is in no list", laidOut({ oldBases: { a: "a" } }), "revisions"],
  ])("%s is refused", (_, value, what) =>
    expect(() => parseIndex(JSON.stringify({ formatVersion: 3, ...value }))).toThrow(`its ${what}`),
  )
  test.each(["null", "[]"])("%s is refused", (text) =>
    expect(() => parseIndex(text)).toThrow("its formatVersion"),
  )
})

test.each([1, 2])(
  "format %d is read: the layouts, the hold, and each time that a revision became current",
  (formatVersion) => {
    const at = (minute: number) => `2026-11-21T10:0${minute}:00.000Z`
    const flags = { a: 1 }
    const committedAt = at(0)
    const claims = [
      {
        revision: "a1",
        publishedAt: at(6),
        ...layout,
        oldBases: { a: ["a"] },
        target: "https://x",
        rollback,
      },
      { revision: "c3", publishedAt: at(5), ...layout, oldBases: { a: "a" } },
      { revision: "a1", publishedAt: at(4), ...layout },
    ]
    const revisions = [
      { revision: "a1", publishedAt: at(6), earlier: [at(3), at(1)], committedAt, flags },
      { revision: "c3", publishedAt: at(5), flags },
      { revision: "b2", publishedAt: at(2), flags },
    ]
    const kept = { ...layout, oldBases: { a: ["a"] } }
    const read = parseIndex(JSON.stringify({ formatVersion, claims, revisions }))
    expect(read.revisions).toEqual([
      { revision: "a1", publishedAt: at(6), committedAt, flags, target: "https://x", rollback, layout: kept },
      { revision: "c3", publishedAt: at(5), flags, layout: kept },
      { revision: "a1", publishedAt: at(4), flags: {}, isLost: true, layout },
      { revision: "a1", publishedAt: at(3), committedAt, flags },
      { revision: "b2", publishedAt: at(2), flags },
      { revision: "a1", publishedAt: at(1), committedAt, flags },
    ])
    expect(parseIndex(formatIndex(read).toString())).toEqual(read)
  },
)

describe("a publication is added", () => {
  const named = (revision: string) => ({ ...one, revision })
  const revisions = [named("pending"), { ...named("current"), isLost: true as const }, named("old")]
  const added = (current: PublishedRevision | undefined, isClean: boolean) =>
    addRevision({ revisions }, named("next"), { current, isClean }).revisions.map((each) =>
      [each.revision, ...(each.layout ? ["laid out"] : []), ...(each.isLost ? ["lost"] : [])].join(", "),
    )

  test("those after the current one lose, and the layouts before it go when their paths are clean", () => {
    const newer = ["next, laid out", "pending, laid out, lost", "current, laid out"]
    expect(added(revisions[1], true)).toEqual([...newer, "old"])
    expect(added(revisions[1], false)).toEqual([...newer, "old, laid out"])
  })

  test("all stay as they are while the current one is unknown", () => {
    const all = ["next, laid out", "pending, laid out", "current, laid out, lost", "old, laid out"]
    expect(added(undefined, true)).toEqual(all)
  })
})

test("lifting a hold keeps who rolled back, and a rollback in progress keeps its own", () => {
  const held = { ...one, rollback }
  const revisions = [{ ...held, revision: "7b" }, held, { ...held, revision: "4d" }]
  const lifted = { ...held, rollback: { ...rollback, isLifted: true } }
  expect(withoutHold({ revisions }, held).revisions).toEqual([revisions[0], lifted, revisions[2]])
})

test.each([
  ["abacba", "c", "a0 b1 a2"],
  ["abacba", "cb", "a0"],
  // Capitals lost.
  ["zVXyx", "v", "z0 y3 x4"],
  ["zXyxyw", "w", "z0 y2 x3 y4"],
  ["Xyx", "y", "X0"],
])("of %s without %s, readers had %s", (names, gone, left) => {
  const revisions = [...names].map((name, at): PublishedRevision => {
    const isLost = name === name.toUpperCase() && { isLost: true as const }
    return { revision: name.toLowerCase(), publishedAt: `${at}`, flags: {}, ...isLost }
  })
  const [current] = revisions
  if (current === undefined) throw new Error("no revision")
  const rest = withoutRevisions({ revisions }, current, new Set(gone)).revisions
  expect(
    rest
      .map(({ revision, publishedAt, isLost }) => (isLost ? revision.toUpperCase() : revision) + publishedAt)
      .join(" "),
  ).toBe(left)
})
