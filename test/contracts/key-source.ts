import { isDeepStrictEqual } from "node:util"
import { pino } from "pino"
import { describe, expect, test } from "vitest"
import { maxKeyFileLength } from "../../proxy/contract/key-file.ts"
import type { KeyRecord } from "../../proxy/contract/key-record.ts"
import type { KeySet } from "../../proxy/keys/key-set.ts"
import type { KeySource } from "../../proxy/keys/key-source.ts"
import { good } from "../../proxy/reload/fault.ts"
import { createReloader } from "../../proxy/reload/reloader.ts"
import { mintKey, wallClock } from "../proxy/fixtures.ts"
import { refusal } from "../proxy/set-reloader.ts"

/** A place for one key file that a test can change behind the source's back; `undefined` removes the file. */
export interface TestKeyStore {
  readonly source: KeySource
  put(text: string | undefined): Promise<void>
}

const { record } = mintKey()

export const webKeyFile = `keys:
  - id: web
    environment: production
    digest: sha256:${record.digest}
    createdAt: 2026-11-21T10:00:00.000Z
`

const keyOf = (at: number): string =>
  `- {id: key-${at}, environment: production, digest: "sha256:${at.toString(16).padStart(64, "0")}", createdAt: 2026-11-21T10:00:00.000Z, owner: team-${at}}\n`

/** 5,000 keys. */
export const manyKeys = `keys:\n${Array.from({ length: 5_000 }, (_, at) => keyOf(at)).join("")}`

/** A source's keys as a proxy reads them, with a clock that moves only when told to. */
export function createKeyReloader(source: KeySource) {
  const clock = { monotonic: 0 }
  const reloader = createReloader<KeySet, readonly KeyRecord[]>({
    what: "keys",
    source,
    needsTwoLooks: true,
    load: async ({ keys }) => good(keys),
    isSame: isDeepStrictEqual,
    clock: { now: () => wallClock, monotonicNow: () => clock.monotonic, random: () => 0 },
    logger: pino({ level: "silent" }),
  })
  const look = () => reloader.reload(false)
  async function read(): Promise<readonly KeyRecord[]> {
    expect(await reloader.reload(true)).toEqual(replaced)
    return reloader.current ?? []
  }
  /** The longest that a reloader may wait before it retries. */
  const later = () => {
    clock.monotonic += 300_000
  }
  return { reloader, look, read, clock, later }
}

export const waiting = { kind: "waiting" }
export const unchanged = { kind: "unchanged" }
export const replaced = { kind: "replaced" }

/** What every `KeySource` must do, wherever its bytes are. */
export function describeKeySource(kind: string, openStore: () => Promise<TestKeyStore>): void {
  async function open(text: string | undefined = webKeyFile) {
    const { source, put } = await openStore()
    await put(text)
    return { ...createKeyReloader(source), put }
  }

  describe(`${kind} as a key source`, () => {
    test("reads the records of a key file", async () => {
      const { read, look } = await open()
      expect(await read()).toMatchObject([{ id: "web", environment: "production", digest: record.digest }])
      expect(await look()).toEqual(unchanged)
    })

    test("accepts a change when two reads find the same content, or immediately when forced", async () => {
      const { reloader, read, look, put } = await open()
      await read()
      await put("keys: [] # half of a file is often a key file, too")
      expect(await look()).toEqual(waiting)
      await put(webKeyFile.replace("id: web", "id: web-2"))
      expect(await look()).toEqual(waiting)
      expect(await look()).toEqual(replaced)
      expect(reloader.current).toMatchObject([{ id: "web-2" }])
      expect(await look()).toEqual(unchanged)
      await put("keys: []\n")
      expect(await read()).toEqual([])
    })

    test("a missing file revokes no key, and is read when it is back", async () => {
      const { reloader, read, look, put, later } = await open()
      await read()
      await put(undefined)
      await look()
      await look()
      expect(reloader.fault?.message).toMatch("keys.yaml")
      expect(await look()).toEqual(waiting)
      expect(reloader.current).toMatchObject([{ id: "web" }])
      await put("keys: []\n")
      later()
      expect(await look()).toEqual(waiting)
      expect(await look()).toEqual(replaced)
      expect(reloader.current).toEqual([])
    })

    test("a refused file is reported once, and read when it changes", async () => {
      const { reloader, read, look, put } = await open()
      await read()
      await put("")
      expect(await look()).toEqual(waiting)
      expect(await look()).toEqual(refusal("is empty"))
      expect(await look()).toEqual(waiting)
      await put(webKeyFile)
      expect(await look()).toEqual(waiting)
      expect(await look()).toEqual(unchanged)
      expect(reloader.fault).toBeUndefined()
    })

    test("a file without its last key has no key; an empty file is half-written", async () => {
      expect(await (await open("keys: []\n")).read()).toEqual([])
      for (const text of ["", " \n"])
        expect(await (await open(text)).reloader.reload(true)).toEqual(refusal("is empty"))
    })

    test("a missing file is refused with the fix", async () => {
      const { source } = await openStore()
      const { reloader } = createKeyReloader(source)
      expect(await reloader.reload(true)).toEqual(refusal(/keys\.yaml.*`flagstone (keys create|publish)/))
    })

    test("a file that is too long is refused", async () => {
      const { reloader } = await open(`${webKeyFile}#${" ".repeat(maxKeyFileLength)}\n`)
      expect(await reloader.reload(true)).toEqual(refusal("longer than 1048576 bytes"))
    })

    test("a file that is not a key file is refused without quoting it", async () => {
      const { reloader } = await open("keys:\n  - id: web\n    secret: hunter2hunter2\n")
      const result = await reloader.reload(true)
      expect(result).toEqual(refusal("is not valid"))
      expect(JSON.stringify(result)).not.toMatch("hunter2")
    })

    test.each([
      ["5,000 keys", manyKeys, "replaced"],
      ["brackets", "[".repeat(maxKeyFileLength), "refused"],
    ])(
      "of the processor time that a reload of %s takes, less than half is the answering thread's",
      { tags: ["slow"] },
      async (_, text, kind) => {
        const { ours, all } = await costOf(await open(text), kind)
        expect(ours).toBeLessThan(all / 2) // parsed in this thread, it would be nearly all
      },
    )
  })
}

/** The processor time that this thread and all threads spend on a reload, in microseconds. */
export async function costOf(
  { reloader }: Pick<ReturnType<typeof createKeyReloader>, "reloader">,
  kind: string,
): Promise<{ readonly ours: number; readonly all: number }> {
  const [thread, process_] = [process.threadCpuUsage(), process.cpuUsage()]
  expect(await reloader.reload(true)).toMatchObject({ kind })
  const [ours, all] = [process.threadCpuUsage(thread), process.cpuUsage(process_)]
  return { ours: ours.user + ours.system, all: all.user + all.system }
}
