import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { prepareSnapshot } from "../../../proxy/prepare/prepare.ts"
import type { PreparedSnapshot } from "../../../proxy/prepare/prepared-snapshot.ts"
import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { flagEntry } from "../../flag-entry.ts"

async function prepare(entries: readonly FlagEntry[]): Promise<PreparedSnapshot> {
  const prepared = await prepareSnapshot(Buffer.from(JSON.stringify({ flags: entries })), {
    id: "production",
    file: "production.json",
    sha256: "",
    size: 0,
    flags: entries.length,
  })
  if (prepared.kind === "invalid") throw new Error(prepared.reason)
  return prepared.value
}

test.each([
  ["too short to be worth it", 10, false],
  ["compressed when it is first asked for", 10_000, true],
  ["too long to be compressed while a request waits", 100_000, true],
])("an entry that is %s", async (_, length, isCompressed) => {
  const entry = flagEntry("long", 1, "x".repeat(length))
  const document = (await prepare([flagEntry("a"), entry])).flag("long")
  const text = JSON.stringify(entry)
  expect(document?.identity.body.toString()).toBe(text)
  expect(document?.br !== undefined).toBe(isCompressed)
  if (document?.br === undefined || document.gzip === undefined) return
  expect(brotliDecompressSync(document.br.body).toString()).toBe(text)
  expect(gunzipSync(document.gzip.body).toString()).toBe(text)
})

test("the number of kept answers is bounded, and answers that are made again are the same", async () => {
  const entries = Array.from({ length: 5_000 }, (_, index) => flagEntry(`flag-${10_000 + index}`))
  const snapshot = await prepare(entries)
  const first = snapshot.flag("flag-10000")
  expect(snapshot.flag("flag-10000")).toBe(first)
  for (const { flag } of entries) snapshot.flag(flag.key)
  expect(snapshot.flag("flag-10000")).not.toBe(first)
  expect(snapshot.flag("flag-10000")).toEqual(first)
})
