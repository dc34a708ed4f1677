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

test("two processes, of which the slower writes last", async () => {
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

  // "two" moves the pointer, and writes a list when "three" has ended.
  const isEnded = Promise.withResolvers<void>()
  const isLate = Promise.withResolvers<void>()
  server.hold = (method, path, body) => {
    if (method !== "PUT" || path !== "/staging/v1/flags" || !body.equals(built("two", "staging.json"))) return
    isLate.resolve()
    return isEnded.promise
  }
  const two = publish("two")
  await isLate.promise
  expect(await publish("three").finally(isEnded.resolve)).toBe(0)
  expect(await two).toBe(2)
  const get = async (path: string) => Buffer.from(await (await fetch(`${server.url}/${path}`)).arrayBuffer())
  expect(JSON.parse((await get("manifest.json")).toString()).revision).toBe(
    JSON.parse(built("three", "manifest.json").toString()).revision,
  )
  for (const environment of ["staging", "production"])
    expect(await get(`${environment}/v1/flags`)).toEqual(built("three", `${environment}.json`))
  await server.stop()
}, 60_000)
