import { Readable } from "node:stream"
import { describe, expect, test } from "vitest"
import { runKeysVerify } from "../../../cli/commands/keys-verify.ts"
import { testHost, testNow } from "../../test-host.ts"
import { day, digest, keyFolder, written } from "../keys/key-folder.ts"

const { keys, path, write } = keyFolder()

describe("keys verify", () => {
  test("recognizes an active key, with or without a newline after it", async () => {
    const { out } = await keys("create production --id web --owner team-web")
    for (const stdin of [out, out.trimEnd(), ` ${out.trimEnd()}\r\n`]) {
      expect(await keys("verify", { stdin })).toEqual({
        status: 0,
        out: "active: key web of production, owned by team-web\n",
        err: "",
      })
    }
  })

  test("says if a key is for one use only", async () => {
    const { out } = await keys("create production --id browser --for evaluate")
    expect(await keys("verify", { stdin: out })).toMatchObject({
      status: 0,
      out: "active: key browser of production, for evaluate only\n",
    })
  })

  test("says what became of a key", async () => {
    const { out } = await keys("create production --id web --expires 1d")
    const later = { stdin: out, now: () => testNow + day }
    expect(await keys("verify", later)).toMatchObject({ status: 1, out: "expired: key web of production\n" })
    await keys("revoke web")
    expect(await keys("verify", later)).toMatchObject({ status: 1, out: "revoked: key web of production\n" })
  })

  test("rejects a key of another file", async () => {
    const { out } = await keys("create production --keys other.yaml")
    write(written)
    expect(await keys("verify", { stdin: out })).toEqual({
      status: 1,
      out: "unknown: a well-formed API key that is not in keys.yaml\n",
      err: "",
    })
  })

  test.each([
    ["a word", "secret"],
    ["a digest", digest],
    ["two secrets", "fsk_a fsk_b"],
    ["bytes that are not text", Buffer.from([0xff, 0xfe, 0])],
    ["much more than a secret", "fsk_".repeat(1_000_000)],
  ])("says no to %s and does not repeat it", async (_what, stdin) => {
    write(written)
    expect(await keys("verify", { stdin })).toEqual({
      status: 1,
      out: "not an API key: characters are missing, wrong or extra\n",
      err: "",
    })
  })

  test("does not wait for the end of what is much longer than a secret", async () => {
    write(written)
    function* endless() {
      for (let chunks = 0; chunks < 1000; chunks++) yield "fsk_".repeat(100)
      throw new Error("it read on")
    }
    const host = { ...testHost({ cwd: path() }), stdin: Readable.from(endless()) }
    expect(await runKeysVerify({ keys: "keys.yaml" }, host)).toBe(1)
  })

  test("asks for a secret if stdin is empty", async () => {
    write(written)
    await expect(keys("verify", { stdin: "\n" })).rejects.toThrow(/^there is no secret on stdin; /)
  })
})
