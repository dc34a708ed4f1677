// @module-tag system
// @module-tag slow
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { TestPlace } from "../../contracts/publish-target.ts"
import { createProjectRepository } from "../../repository.ts"
import { startPutServer } from "../../servers/put.ts"
import { kinds } from "./places.ts"
import { raceOnce } from "./race-rounds.ts"

// `npm run test:s3` runs the same rounds at real stores, and race-in-memory.test.ts many more.
const rounds = Number(process.env.FLAGSTONE_TEST_ROUNDS ?? 5)
const places = kinds.filter(({ kind, isSingle }) => !isSingle && !kind.includes("memory"))

describe.each(places)("publishers at once: $kind", ({ start }) => {
  let place: TestPlace
  beforeAll(async () => {
    place = await start()
  })
  afterAll(() => place.stop())

  test(`${rounds} rounds: exactly one wins, and readers find the winner's files alone`, async () => {
    for (let seed = 1; seed <= rounds; seed++) await raceOnce(seed, () => place.open(`/${seed}`), place)
  }, 600_000)
})

test("two processes, if the loser wrote last", async () => {
  const repository = createProjectRepository()
  const builds = ["one", "two", "three"]
  for (const name of builds) {
    repository.commitFlags({ [name]: true })
    expect((await repository.flagstone(["build", "--out", name])).status).toBe(0)
  }
  const built = (name: string, file: string) => readFileSync(join(repository.folder, name, file))
  const server = await startPutServer("Bearer ci")
  const publish = (name: string) => {
    const child = spawn(
      process.execPath,
      [resolve(import.meta.dirname, "../../../cli/flagstone.js"), "publish", server.url, "--snapshots", name],
      {
        cwd: repository.folder,
        env: { ...process.env, FLAGSTONE_PUBLISH_AUTHORIZATION: "Bearer ci" },
        stdio: "ignore",
      },
    )
    return new Promise<number | null>((done) => child.once("exit", done))
  }
  expect(await publish("one")).toBe(0)

  // "two" writes a list late: when "three" is about to move the pointer; and that waits until "two" has ended.
  const isPointer = Promise.withResolvers<void>()
  const isEnded = Promise.withResolvers<void>()
  const isLate = Promise.withResolvers<void>()
  server.hold = (method, path, body) => {
    if (method !== "PUT") return
    if (path === "/staging/v1/flags" && body.equals(built("two", "staging.json"))) {
      isLate.resolve()
      return isPointer.promise
    }
    const { revision } = JSON.parse(built("three", "manifest.json").toString())
    if (path !== "/manifest.json" || JSON.parse(body.toString()).revision !== revision) return
    isPointer.resolve()
    return isEnded.promise
  }
  const two = publish("two")
  await isLate.promise
  const three = publish("three")
  const outcomes = [await two.finally(isEnded.resolve), await three]
  expect(outcomes.toSorted()).toEqual([0, 2])
  const winner = outcomes[0] === 0 ? "two" : "three"
  const get = async (path: string) => Buffer.from(await (await fetch(`${server.url}/${path}`)).arrayBuffer())
  expect(JSON.parse((await get("manifest.json")).toString()).revision).toBe(
    JSON.parse(built(winner, "manifest.json").toString()).revision,
  )
  for (const environment of ["staging", "production"])
    expect(await get(`${environment}/v1/flags`)).toEqual(built(winner, `${environment}.json`))
  await server.stop()
}, 60_000)
