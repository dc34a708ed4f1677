// @module-tag system
// @module-tag slow
import { describe, expect, test } from "vitest"
import { s3Publisher } from "./s3-publisher.ts"

const { pointer, release, writes } = s3Publisher()

describe("only what changed is sent", () => {
  test("one flag in one environment; the pointer is the first that readers see", async () => {
    await release({ a: true, b: true }, "--per-flag")
    writes()
    const { revision } = await release({ b: false }, "--per-flag")
    const sent = writes()
    const { sha256 } = (await pointer()).environments.staging
    expect(sent.toSorted()).toEqual(
      [
        `PUT snapshots/${sha256}.json`,
        `PUT manifests/${revision}.json`,
        "PUT revisions.json",
        "PUT staging/v1/flags",
        "PUT staging/v1/flags/b",
        "PUT manifest.json",
        "PUT 404.json", // with a false condition, to see whether the store supports conditions
      ].toSorted(),
    )
    expect(sent.slice(-4)).toEqual([
      "PUT manifest.json",
      "PUT staging/v1/flags/b",
      "PUT staging/v1/flags",
      "PUT 404.json",
    ])
  })

  test("a commit that changes no flag moves only the pointer, and readers of the API see nothing", async () => {
    await release({ a: true })
    writes()
    await release({})
    expect(writes().filter((path) => path.includes("/v1/"))).toEqual([])
  })
})
