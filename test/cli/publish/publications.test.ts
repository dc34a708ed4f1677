import { describe, expect, test } from "vitest"
import { publicationAt, publicationsOf, readDocument } from "../../../cli/publish/publications.ts"
import { type Published, readPublished } from "../../../cli/publish/published.ts"
import { createMemoryTarget } from "../../servers/memory-target.ts"
import { outsideGit } from "../../test-host.ts"
import { publicationOf, publishOnce } from "./publications.ts"

const time = (minute: number) => `2026-11-21T10:0${minute}:00.000Z`

/** A target with three revisions: a01, a02, a01 again as a rollback that was lifted, then b03; and its files. */
async function target() {
  const files = new Map<string, Buffer>()
  const memory = createMemoryTarget(files)
  const options = { perFlag: false, signingKey: undefined }
  const rollback = { from: "a02", by: "Ann" }
  for (const [minute, [revision = "", committed = 0, more = {}]] of (
    [
      ["a01", 1],
      ["a02", 2],
      ["a01", 1, { rollback }],
      ["b03", 3],
    ] as const
  ).entries()) {
    const publication = publicationOf(revision, { a: revision })
    const manifest = { ...publication.manifest, committedAt: `2026-11-21T09:0${committed}:00.000Z` }
    const now = Date.parse(time(minute + 1))
    await publishOnce(memory, { ...publication, manifest }, { ...options, ...more, now })
  }
  return { files, memory, published: await readPublished(memory) }
}

const shown = (published: Published) =>
  publicationsOf(published).map(({ revision, publishedAt, rollback }) => [revision, publishedAt, rollback])

describe("what readers had", () => {
  test("oldest first, each time that a revision became current, with who rolled back", async () => {
    const { published } = await target()
    expect(shown(published)).toEqual([
      ["a01", time(1), undefined],
      ["a02", time(2), undefined],
      ["a01", time(3), { from: "a02", by: "Ann" }],
      ["b03", time(4), undefined],
    ])
  })

  test("a return to an older commit was a rollback, even if the index does not say so", async () => {
    const { published } = await target()
    const revisions = published.index.revisions.map(({ rollback, ...one }) => one)
    const [, , again] = shown({ ...published, index: { revisions } })
    expect(again).toEqual(["a01", time(3), {}])
  })

  test("not what did not become current, though a loser may have taken the current one for lost", async () => {
    const { published } = await target()
    const [last, ...before] = published.index.revisions
    if (last === undefined) throw new Error("no revision")
    expect(shown({ ...published, current: before[0], pending: [last] })).toHaveLength(3)
    const lost = { ...last, isLost: true as const }
    const index = { revisions: [lost, ...before] }
    expect(shown({ ...published, index, current: before[0] })).toHaveLength(3)
    expect(shown({ ...published, index, current: lost })).toHaveLength(4)
  })
})

describe("a publication is found", () => {
  const git = { cwd: "/", git: outsideGit }
  test.each([
    [undefined, "b03", time(4)],
    [time(4), "b03", time(4)],
    ["2026-11-21T10:03:59.999Z", "a01", time(3)],
    ["2026-11-21T11:02:30+01:00", "a02", time(2)],
    ["2026-11-22", "b03", time(4)],
    ["b", "b03", time(4)],
    ["a01", "a01", time(3)],
  ])("at %s", async (at, revision, publishedAt) => {
    const { memory, published } = await target()
    expect(await publicationAt(memory, published, at, git)).toMatchObject({ revision, publishedAt })
  })

  test("by a commit's name in this clone", async () => {
    const { memory, published } = await target()
    const asked: unknown[] = []
    const found = await publicationAt(memory, published, "HEAD^", {
      cwd: "/repository",
      git: async (args, options) => {
        asked.push(args, options)
        return { status: 0, stdout: Buffer.from("a02\n"), stderr: "" }
      },
    })
    expect(found.revision).toBe("a02")
    expect(asked).toEqual([
      ["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^^{commit}"],
      { cwd: "/repository" },
    ])
  })

  test.each([
    ["a", "2 revisions begin with a"],
    ["c", "has no revision c"],
    ["2026-13-01", "2026-13-01 is not a date or time"],
    [
      "2026-11-21T10:00:59Z",
      `memory does not know what readers had at 2026-11-21T10:00:59Z: its oldest publication is of ${time(1)}`,
    ],
  ])("not at %s", async (at, message) => {
    const { memory, published } = await target()
    await expect(publicationAt(memory, published, at, git)).rejects.toThrow(message)
  })

  test.each(["revisions.json", "manifest.json"])(
    "nor without %s, which publish writes again",
    async (file) => {
      const { memory } = await target()
      await memory.remove(file)
      await expect(publicationAt(memory, await readPublished(memory), undefined, git)).rejects.toThrow(
        `memory does not say what was published: ${file} is missing or damaged; publish again`,
      )
    },
  )

  test("nor without git, nor in an empty target", async () => {
    const { memory, published } = await target()
    const none = { cwd: "/", git: () => Promise.reject(new Error("no git")) }
    await expect(publicationAt(memory, published, "main", none)).rejects.toThrow("has no revision main")
    const empty = createMemoryTarget()
    await expect(publicationAt(empty, await readPublished(empty), undefined, git)).rejects.toThrow(
      /^memory has no publication$/,
    )
  })
})

test("a revision's document is read and verified", async () => {
  const { files, memory } = await target()
  const asked: unknown[] = []
  const read = (environment: string | undefined) =>
    readDocument(memory, "a02", (names) => {
      asked.push(names)
      return environment
    })
  const found = await read("production")
  expect(found?.environment).toBe("production")
  expect(JSON.parse(found?.bytes.toString() ?? "").flags[0].flag.description).toBe("a02")
  expect([await read(undefined), await read("staging")]).toEqual([undefined, undefined])
  expect(asked).toEqual([["production"], ["production"], ["production"]])
  const { file } = JSON.parse(files.get("manifests/a02.json")?.toString() ?? "").environments.production
  files.set(file, Buffer.from("{}"))
  await expect(read("production")).rejects.toThrow(`memory: ${file} is missing or damaged`)
  await expect(readDocument(memory, "x", () => undefined)).rejects.toThrow("manifests/x.json is missing")
})
