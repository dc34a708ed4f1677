// @module-tag system
// @module-tag slow
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { Failure } from "../../../cli/failure.ts"
import { liftHold, refuseHeld } from "../../../cli/publish/hold.ts"
import { indexPath, pointerPath } from "../../../cli/publish/layout.ts"
import { planPublication } from "../../../cli/publish/plan.ts"
import { carryOut, repairHeld } from "../../../cli/publish/publish.ts"
import { readPublished } from "../../../cli/publish/published.ts"
import type { PublishTarget } from "../../../cli/publish/target.ts"
import type { TestPlace } from "../../contracts/publish-target.ts"
import { createMemoryTarget } from "../../servers/memory-target.ts"
import { folderPublisher, revision } from "./folder-publisher.ts"
import { kinds } from "./places.ts"
import { publicationOf, publishOnce, readAsReaders } from "./publications.ts"
import { s3Publisher } from "./s3-publisher.ts"

const good = publicationOf("good", { a: "1" })
const bad = publicationOf("bad", { a: "2" })
const later = publicationOf("later", { a: "3" })
const rollback = { from: "bad", by: "Ann", reason: "Orders fail" }
const hold = async (target: PublishTarget) => refuseHeld(await readPublished(target), target)

describe.each(kinds)("a rollback at $kind", ({ start }) => {
  let place: TestPlace
  let target: PublishTarget
  let now = Date.UTC(2026, 10, 21)
  const options = () => ({ perFlag: true, signingKey: undefined, now: ++now })
  const others = async () => {
    const published = await readPublished(target)
    const layout = { bases: { production: "production" }, perFlag: true }
    return planPublication(target, later, published, { layout, signingKey: undefined, now: ++now })
  }
  beforeAll(async () => {
    place = await start()
    target = place.open("/held")
    await publishOnce(target, good, options())
    await publishOnce(target, bad, options())
  })
  afterAll(async () => {
    await target.close()
    await place.stop()
  })

  test("holds from the moment its pointer moves until it is lifted, even against publishers that began earlier", async () => {
    const cut = { ...target, write: cutBefore(pointerPath, target) }
    await expect(publishOnce(cut, good, { ...options(), rollback })).rejects.toThrow(
      "readers have revision bad",
    )
    expect(await readAsReaders(target, [good, bad], options())).toBe("bad")
    await hold(target)

    const plan = await others()
    await publishOnce(target, good, { ...options(), rollback })
    await expect(hold(target)).rejects.toThrow(
      /held: Ann rolled back from bad at 2026-11-21T\S+Z: Orders fail\n/,
    )
    if (plan === undefined) throw new Error("there is something to send")
    await expect(carryOut(target, plan, () => undefined)).rejects.toThrow("another publisher updated")
    expect(await readAsReaders(target, [good, bad, later], options())).toBe("good")
    await expect(hold(target)).rejects.toThrow("Orders fail")

    // Lifting the hold sends nothing.
    expect(await liftHold(target)).toMatchObject({ revision: "good" })
    expect(await liftHold(target)).toBeUndefined()
    expect(await readAsReaders(target, [good, bad, later], options())).toBe("good")
    await hold(target)
    expect(await publishOnce(target, later, options())).toBe("sent")
    expect(await readAsReaders(target, [good, bad, later], options())).toBe("later")
  })
})

test("a hold that another publisher's write keeps is not said to be lifted", async () => {
  const options = { perFlag: true, signingKey: undefined, now: Date.UTC(2026, 10, 21) }
  const target = createMemoryTarget()
  await publishOnce(target, good, options)
  await publishOnce(target, good, { ...options, now: options.now + 1, rollback })
  const outrun: PublishTarget = {
    ...target,
    write: async (file, condition) => (file.path === indexPath ? "lost" : target.write(file, condition)),
  }
  await expect(liftHold(outrun)).rejects.toThrow("another publisher")
  await expect(hold(target)).rejects.toThrow("Orders fail")
})

test("a bug of ours is not taken for a repair that failed", async () => {
  const options = { perFlag: true, signingKey: undefined, now: Date.UTC(2026, 10, 21) }
  const target = createMemoryTarget()
  await publishOnce(target, good, { ...options, rollback })
  const buggy = () => Promise.reject(new TypeError("undefined is not an object"))
  await expect(repairHeld({ ...target, read: buggy }, await readPublished(target))).rejects.toThrow(TypeError)
})

/** Writes fail at one path, as if the network broke. */
function cutBefore(path: string, target: PublishTarget): PublishTarget["write"] {
  return async (file, condition) => {
    if (file.path === path) throw new Failure("no connection")
    return target.write(file, condition)
  }
}

describe("a held target", () => {
  const { get, publish, publishWith, release, repository, s3 } = s3Publisher()
  const asAnn = { GITHUB_ACTOR: "ann" }

  test("is repaired by whatever it refuses, because the rollback may have been killed; not by --dry-run", async () => {
    const { revision } = await release({ a: true })
    const good = await get("staging/v1/flags")
    await release({ a: false })
    s3().interfere = (method, path) => (method === "PUT" && path.includes("/v1/flags") ? 403 : undefined)
    expect(await publish("--rollback", revision)).toMatchObject({
      status: 2,
      err: expect.stringContaining(`proxies have revision ${revision}, but files of the read API may still`),
    })
    const failed = await publish()
    expect(failed).toMatchObject({
      status: 2,
      err: expect.stringMatching(
        /^files of the read API were not all repaired: PUT .*\nflagstone: .* is held/,
      ),
    })
    s3().interfere = () => undefined
    expect((await publish("--dry-run")).err).not.toContain("repaired")
    expect(await get("staging/v1/flags")).not.toEqual(good)
    const refused = await publish()
    expect(refused).toMatchObject({
      status: 2,
      err: expect.stringMatching(/^1 file of the read API repaired\nflagstone: .* is held: /),
    })
    expect(await get("staging/v1/flags")).toEqual(good)
    expect((await publish()).err).not.toContain("repaired")
  })

  test("can be the current revision: only the mark is sent", async () => {
    const { revision } = await release({ a: true })
    const documents = await get("staging/v1/flags")
    const { status, err } = await publishWith(asAnn, "--rollback", revision, "--reason", "No changes today")
    expect({ status, err }).toMatchObject({ status: 0, err: expect.stringContaining("(0 files sent)") })
    expect(await get("staging/v1/flags")).toEqual(documents)
    expect((await publish("--list")).out).toMatch(/held: ann stopped changes at \S+Z: No changes today\n/)
    expect(await release({ b: true })).toMatchObject({ status: 2 })
  })

  test("still accepts keys, with the revision that it has", async () => {
    const { revision } = await release({ a: true })
    await repository().flagstone(["keys", "create", "staging"])
    await publish("--rollback", revision)
    expect(await publish("--keys", "keys.yaml")).toMatchObject({ status: 2 })
    const { status, err } = await publish("--rollback", revision, "--keys", "keys.yaml")
    expect({ status, err }).toMatchObject({
      status: 0,
      err: expect.stringContaining("now has keys.yaml with 1 key ("),
    })
  })

  test("names git's user outside CI; escapes in the name do not reach the terminal", async () => {
    const { revision } = await release({ a: true })
    repository().git("config", "user.name", "Ann \u001b[31m")
    await publish("--rollback", revision, "--reason", "a\nb")
    expect((await publish("--list")).out).toMatch(/held: Ann \\u001b\[31m stopped changes .*: a\\u000ab\n/)
  })
})

describe("a hold outlives", () => {
  const { build, publish, read, remove, write } = folderPublisher()
  const commit = (digit: number, project = "shop") => {
    const committedAt = `2026-11-21T09:0${digit}:00.000Z`
    build({ staging: { a: String(digit) } }, { project, revision: revision(digit), committedAt })
  }
  const ways: readonly (readonly [string, (file: string) => void])[] = [
    ["lost", (file) => remove(file)],
    ["damaged", (file) => write(file, read(file).slice(0, 100))],
  ]
  beforeEach(async () => {
    for (const digit of [1, 2]) {
      commit(digit)
      expect(await publish("--per-flag")).toMatchObject({ status: 0 })
    }
    expect(await publish(`--rollback ${revision(1)} --reason Orders`)).toMatchObject({ status: 0 })
  })

  test.each(ways)("its manifest, %s, and the same rollback writes that again", async (_, damage) => {
    damage("site/manifest.json")
    expect((await publish("--list")).out).toMatch(`  held: someone rolled back from 2222222222 at `)
    const refused = await publish()
    expect(refused).toMatchObject({
      status: 2,
      err: expect.stringMatching(/^flagstone: site is held: .*: Orders\n/),
    })
    expect(refused.err).toContain(
      `site/manifest.json is missing or damaged; \`flagstone publish site --rollback ${revision(1)}\` writes it again`,
    )
    expect(await publish(`--rollback ${revision(1)}`)).toMatchObject({ status: 0 })
    expect(JSON.parse(read("site/manifest.json"))).toMatchObject({ revision: revision(1), rollback: true })
    expect((await publish()).err).toMatch(/ is held: .*: Orders\nreaders keep 1111111111; /)
  })

  test.each(ways)(
    "its manifest, %s, and so does what refuses an older commit or another project",
    async (_, damage) => {
      damage("site/manifest.json")
      expect(await publish("--resume")).toMatchObject({ status: 0 })
      commit(0)
      expect((await publish()).err).toContain("is older than the published one")
      commit(3, "toys")
      expect((await publish()).err).toContain("site has the project shop, but this is toys")
      commit(3)
      expect(await publish()).toMatchObject({ status: 0 })
    },
  )

  test("a document: what refuses names the way to repair it", async () => {
    const manifest = () => JSON.parse(read("site/manifest.json"))
    write(`site/${manifest().environments.staging.file}`, "{")
    const fix =
      ".json is missing or damaged: build and publish that commit again, after --resume if the target is held\n"
    expect((await publish(`--rollback ${revision(1)}`)).err).toContain(fix)
    expect((await publish()).err).toContain(
      `repaired: site: ${manifest().environments.staging.file.slice(0, -5)}${fix}`,
    )
    expect(await publish("--resume")).toMatchObject({ status: 0 })
    commit(1)
    expect(await publish("--allow-older")).toMatchObject({ status: 0 })
    expect(read(`site/${manifest().environments.staging.file}`)).toContain('"1"')
    expect(await publish(`--rollback ${revision(1)}`)).toMatchObject({ status: 0 })
  })

  test("the index, which the same rollback writes again, and which --resume does without", async () => {
    const held =
      /held: someone rolled back from unknown at \S+Z: revisions\.json no longer says who, from what and why\n/
    remove("site/revisions.json")
    expect((await publish("--list")).out).toMatch(held)
    expect((await publish()).err).toMatch(held)
    expect(read("site/staging/v1/flags/a.json")).toContain('"1"')
    expect(await publish(`--rollback ${revision(1)}`)).toMatchObject({ status: 0 })
    expect((await publish()).err).toMatch(held)
    remove("site/revisions.json")
    expect((await publish("--resume")).err).toContain("site is no longer held; it has 1111111111")
    expect(await publish()).toMatchObject({ status: 0 })
    expect(read("site/staging/v1/flags/a.json")).toContain('"2"')
    expect((await publish("--list")).out).toMatch(/^\* 2{40} .*\n {2}1{40} .*\n$/)
  })
})
