import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { describePublishTarget, type TestPlace } from "../../contracts/publish-target.ts"
import { installRealS3, type RealS3 } from "../../servers/real-s3.ts"
import { open } from "./places.ts"
import { publicationOf, publishOnce, readAsReaders } from "./publications.ts"
import { raceOnce } from "./race-rounds.ts"

// `FLAGSTONE_TEST_S3=moto,versitygw,minio npm run test:s3`: these must be installed. Without it, those that can be installed.
const names = process.env.FLAGSTONE_TEST_S3?.split(",")
const rounds = Number(process.env.FLAGSTONE_TEST_ROUNDS ?? 300)

const start = async (server: RealS3): Promise<TestPlace> => {
  const { env, stop } = await server.start()
  return {
    open: (below = "") => open(`s3://flags/shop${below}`, env),
    isConditional: true,
    keepsObjectsAsFiles: server.keepsObjectsAsFiles,
    get: async () => undefined, // readers without credentials get nothing
    stop,
  }
}

describe.each(installRealS3(names))("$name", (server) => {
  describePublishTarget(server.name, () => start(server))

  describe("publishers at once", () => {
    let place: TestPlace
    beforeAll(async () => {
      place = await start(server)
    })
    afterAll(() => place.stop())

    test(`${rounds} rounds: exactly one wins, and readers find the winner's files alone`, async () => {
      for (let seed = 1; seed <= rounds; seed++) await raceOnce(seed, () => place.open(`/${seed}`), place)
    }, 3_600_000)

    test("the list and the single flags of three revisions", async () => {
      const options = { perFlag: !server.keepsObjectsAsFiles, signingKey: undefined, now: Date.now() }
      const publications = [
        publicationOf("01", { a: "1", "b/c": "1" }),
        publicationOf("02", { a: "2", "x/.hidden": "1", "404.json": "1" }),
        publicationOf("03", { "A/B": "1", "a/b": "1", "a/..b": "1" }),
      ]
      for (const publication of publications) {
        await publishOnce(place.open("/three"), publication, options)
        expect(await readAsReaders(place.open("/three"), publications, options)).toBe(publication.revision)
      }
    })
  })
})
