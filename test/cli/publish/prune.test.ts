// @module-tag system
// @module-tag slow
import { hash } from "node:crypto"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { indexPath, manifestPath, pointerPath, privateFile } from "../../../cli/publish/layout.ts"
import { prune } from "../../../cli/publish/prune.ts"
import { readPublished } from "../../../cli/publish/published.ts"
import { formatIndex } from "../../../cli/publish/revision-index.ts"
import { createProjectRepository, type Outcome } from "../../repository.ts"
import { createMemoryTarget } from "../../servers/memory-target.ts"
import { publicationOf, publishOnce } from "./publications.ts"
import { s3Publisher } from "./s3-publisher.ts"

const { get, pointer, publish, release, repository, s3, target } = s3Publisher()

describe("a publisher that prunes while another publishes an unreferenced document", () => {
  /** Another publisher, whose revision has the documents of the one that `publish("--keep", "1")` prunes. */
  async function another(): Promise<() => Promise<Outcome>> {
    await release({ a: true })
    await release({ a: false })
    const other = createProjectRepository()
    other.commitFlags({ a: true })
    expect((await other.flagstone(["build"])).status).toBe(0)
    return () => other.flagstone(["publish", target()], { env: s3().env, now: Date.now })
  }

  async function expectWhole(): Promise<void> {
    const { environments } = await pointer()
    for (const { file, sha256 } of Object.values<{ file: string; sha256: string }>(environments))
      expect(hash("sha256", (await get(file)) ?? "")).toBe(sha256)
  }

  test("puts it back if the other was faster", async () => {
    const publishOther = await another()
    let outcome: Promise<Outcome> | undefined
    s3().interfere = async (method, path) => {
      if (outcome !== undefined || method !== "DELETE" || !path.includes("/snapshots/")) return undefined
      outcome = publishOther()
      await outcome
      return undefined
    }
    const pruned = await publish("--keep", "1")
    expect(pruned).toMatchObject({
      status: 0,
      err: expect.stringMatching(
        /older revisions were not all removed: .* another publisher is publishing there/,
      ),
    })
    expect(await outcome).toMatchObject({ status: 0 })
    await expectWhole()
  })

  test("and is cut off: the other sends it again", async () => {
    const publishOther = await another()
    let pruned: Promise<Outcome> | undefined
    s3().interfere = async (method, path) => {
      if (method !== "PUT" || !path.endsWith("revisions.json")) return undefined
      if (pruned !== undefined) return 403
      pruned = publish("--keep", "1")
      await pruned
      s3().interfere = () => undefined
      return undefined
    }
    expect(await publishOther()).toMatchObject({ status: 0 })
    expect(await pruned).toMatchObject({ status: 0, err: expect.stringContaining("403") })
    await expectWhole()
  })
})

test("nothing is pruned while a publication is pending: its publisher may rely on what is there", async () => {
  const options = { perFlag: true, signingKey: undefined, now: Date.UTC(2026, 10, 21, 10) }
  const target = createMemoryTarget()
  await publishOnce(target, publicationOf("01", { a: "1" }), options)
  await publishOnce(target, publicationOf("02", { a: "2" }), options)
  const { index } = await readPublished(target)
  const pending = { revision: "03", publishedAt: "2026-11-21T12:00:00.000Z", flags: {} }
  await target.write(
    privateFile(indexPath, formatIndex({ revisions: [pending, ...index.revisions] })),
    undefined,
  )
  expect(await prune(target, 1)).toBe(0)
  expect(await target.read(manifestPath("01"))).toBeDefined()
})

describe("after a publisher was killed before its manifest", () => {
  /** Publishes 1, 2 (killed) and 3, and returns the names of the whole ones. */
  async function releases(): Promise<readonly string[]> {
    const first = await release({ a: true })
    s3().interfere = (method, path) => (method === "PUT" && path.includes("/manifests/") ? 403 : undefined)
    expect(await release({ a: false })).toMatchObject({ status: 2 })
    s3().interfere = () => undefined
    const third = await release({ b: true })
    return [first.revision, third.revision]
  }

  test("--keep counts only revisions that readers had, and drops the other one", async () => {
    const [first, third] = await releases()
    const { status, err, revision } = await release({ c: true }, "--keep", "3")
    expect(status).toBe(0)
    expect(err).toContain("1 older revision removed")
    const isThere = async (name: string | undefined) => (await get(`manifests/${name}.json`)) !== undefined
    expect(await Promise.all([first, third, revision].map(isThere))).toEqual([true, true, true])
    const last = await release({ d: true }, "--keep", "2")
    expect(last).toMatchObject({ status: 0, err: expect.stringContaining("2 older revisions removed") })
    expect(await Promise.all([first, third, revision].map(isThere))).toEqual([false, false, true])
    const { revisions } = JSON.parse((await get(indexPath))?.toString() ?? "")
    expect(revisions).toMatchObject([{ revision: last.revision }, { revision }])
  })

  test("--list and what readers had leave out the one that readers never had", async () => {
    const whole = await releases()
    const listed = await publish("--list")
    expect(listed.out.match(/[0-9a-f]{40}/g)).toEqual(whole.toReversed())
    const asked = ["evaluate", "a", "--environment", "production", "--published", target()]
    const { flagstone } = repository()
    const run = (...more: readonly string[]) =>
      flagstone([...asked, ...more], { env: s3().env, now: Date.now })
    expect(await run("--history")).toMatchObject({ status: 0 })
    const { publishedAt } = await pointer()
    const before = new Date(Date.parse(publishedAt) - 1).toISOString()
    expect(await run("--at", before)).toMatchObject({ status: 0 })
  })
})

test("a revision that readers had is kept although it was published again and lost", async () => {
  const options = { perFlag: true, signingKey: undefined, now: Date.UTC(2026, 10, 21, 10) }
  const target = createMemoryTarget()
  const publish = (name: string) => publishOnce(target, publicationOf(name, { a: name }), options)
  const isKilled = (name: string) =>
    publishOnce(
      {
        ...target,
        write: async (file, condition) => {
          if (file.path === pointerPath) throw new Error("killed")
          return target.write(file, condition)
        },
      },
      publicationOf(name, { a: name }),
      options,
    )
  await publish("01")
  await publish("02")
  for (const name of ["01", "03"]) await expect(isKilled(name)).rejects.toThrow("killed")
  await publish("04")
  expect(await prune(target, 3)).toBe(1) // 03
  expect(await prune(target, 3)).toBe(0)
  expect(await target.read(manifestPath("01"))).toBeDefined()
})

test("nothing is removed while the manifest of a revision to keep is damaged: which documents it needs is unknown", async () => {
  const options = { perFlag: true, signingKey: undefined, now: Date.UTC(2026, 10, 21, 10) }
  const target = createMemoryTarget()
  for (const name of ["01", "02", "03"])
    await publishOnce(target, publicationOf(name, { a: name }), {
      ...options,
      now: options.now + Number(name),
    })
  await target.write(privateFile(manifestPath("02"), Buffer.from("{")), undefined)
  await expect(prune(target, 2)).rejects.toThrow("manifests/02.json is damaged, so nothing was removed")
  expect(await target.read(manifestPath("01"))).toBeDefined()
})

test("a publication whose older revisions cannot be removed has succeeded, and says so", async () => {
  await release({ a: true })
  s3().interfere = (method) => (method === "DELETE" ? 403 : undefined)
  const { status, out, err } = await release({ a: false }, "--keep", "1")
  expect({ status, err }).toEqual({
    status: 0,
    err: expect.stringMatching(/older revisions were not all removed: DELETE .* returned 403/),
  })
  expect(out).toContain("production ")
})

test("the same of a folder, from which the machine does not remove a file", async () => {
  const { commitFlags, flagstone, folder } = repository()
  const releaseTo = async (flags: Readonly<Record<string, boolean>>, ...args: readonly string[]) => {
    const revision = commitFlags(flags)
    await flagstone(["build"])
    return { revision, ...(await flagstone(["publish", "site", ...args])) }
  }
  const { revision } = await releaseTo({ a: true })
  mkdirSync(join(folder, `site/manifests/${revision}.json.sig`))
  const { status, err } = await releaseTo({ a: false }, "--keep", "1")
  expect({ status, err }).toEqual({
    status: 0,
    err: expect.stringMatching(/\nolder revisions were not all removed: .*EISDIR.*\n$/),
  })
})
