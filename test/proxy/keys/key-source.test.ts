import { execFileSync } from "node:child_process"
import { chmod, mkdtemp, rename, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pino } from "pino"
import { afterAll, beforeAll, expect, test } from "vitest"
import { maxKeyFileLength } from "../../../proxy/contract/key-file.ts"
import type { KeyRecord } from "../../../proxy/contract/key-record.ts"
import { createKeySource } from "../../../proxy/keys/key-source.ts"
import { good } from "../../../proxy/reload/fault.ts"
import { createReloader } from "../../../proxy/reload/reloader.ts"
import { mintKey, wallClock } from "../fixtures.ts"
import { refusal } from "../set-reloader.ts"

let directory = ""
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "flagstone-"))
})
afterAll(() => rm(directory, { recursive: true }))

async function write(text: string): Promise<string> {
  const path = join(directory, "keys.yaml")
  await writeFile(path, text)
  return path
}

const { record } = mintKey()
const keyFile = `keys:
  - id: web
    environment: production
    digest: sha256:${record.digest}
    createdAt: 2026-11-21T10:00:00.000Z
`

/** The keys of a file as a proxy reads them, with a clock that stands still until it is moved. */
function open(path: string) {
  const clock = { monotonic: 0 }
  const reloader = createReloader<readonly KeyRecord[], readonly KeyRecord[]>({
    what: "keys",
    source: createKeySource(path),
    needsTwoLooks: true,
    load: async (records) => good(records),
    clock: { now: () => wallClock, monotonicNow: () => clock.monotonic, random: () => 0 },
    logger: pino({ level: "silent" }),
  })
  const look = () => reloader.reload(false)
  async function read(): Promise<readonly KeyRecord[]> {
    expect(await reloader.reload(true)).toEqual(replaced)
    return reloader.current ?? []
  }
  return { reloader, look, read, clock }
}

const waiting = { kind: "waiting" }
const unchanged = { kind: "unchanged" }
const replaced = { kind: "replaced" }
const web = [{ id: "web" }]

test("reads the records of a key file", async () => {
  const { read, look } = open(await write(keyFile))
  expect(await read()).toMatchObject([{ id: "web", environment: "production", digest: record.digest }])
  expect(await look()).toEqual(unchanged)
})

test("believes a change when two looks find the same content, and at once when it must", async () => {
  const { reloader, read, look } = open(await write(keyFile))
  await read()
  await write("keys: [] # half of a file is often a key file, too")
  expect(await look()).toEqual(waiting)
  await write(`${keyFile}# all of it\n`)
  expect(await look()).toEqual(waiting)
  expect(await look()).toEqual(replaced)
  expect(reloader.current).toMatchObject(web)
  expect(await look()).toEqual(unchanged)
  await write("keys: []\n")
  expect(await read()).toEqual([])
})

test("a file that is written again and again with the same content is believed", async () => {
  const { reloader, read, look } = open(await write(keyFile))
  await read()
  await write("keys: []\n")
  expect(await look()).toEqual(waiting)
  await write("keys: []\n")
  expect(await look()).toEqual(replaced)
  expect(reloader.current).toEqual([])
})

test("a file that is gone for a moment is not missed", async () => {
  const path = await write(keyFile)
  const { read, look } = open(path)
  await read()
  await rename(path, `${path}.old`)
  expect(await look()).toEqual(waiting)
  await rename(`${path}.old`, path)
  expect(await look()).toEqual(unchanged)
})

test("a file that is gone is refused, tried again ever more seldom, and read as soon as it is back", async () => {
  const path = await write(keyFile)
  const { reloader, read, look, clock } = open(path)
  await read()
  await rename(path, `${path}.old`)
  expect(await look()).toEqual(waiting)
  expect(await look()).toEqual(refusal("no keys.yaml in"))
  expect(await look()).toEqual(waiting)
  clock.monotonic += 500
  expect(await look()).toEqual(refusal("no keys.yaml in"))
  await write("keys: []\n")
  expect(await look()).toEqual(waiting)
  expect(await look()).toEqual(replaced)
  expect(reloader.current).toEqual([])
})

test("what was refused is said once, and read when it changes", async () => {
  const { read, look } = open(await write(keyFile))
  await read()
  await write("")
  expect(await look()).toEqual(waiting)
  expect(await look()).toEqual(refusal("is empty"))
  expect(await look()).toEqual(waiting)
  await write(keyFile)
  expect(await look()).toEqual(waiting)
  expect(await look()).toEqual(replaced)
})

test("a file from which the last key was taken holds no key; an empty one is half-written", async () => {
  expect(await open(await write("keys: []\n")).read()).toEqual([])
  for (const text of ["", " \n"])
    expect(await open(await write(text)).reloader.reload(true)).toEqual(refusal("is empty"))
})

test("a file that is not there is refused with the fix", async () => {
  const { reloader } = open(join(directory, "none.yaml"))
  expect(await reloader.reload(true)).toEqual(
    refusal(/no none\.yaml in .*: make it with `flagstone keys create/),
  )
})

test("what is not a file, or too long, is refused, and holds nobody", async () => {
  expect(await open(directory).reloader.reload(true)).toEqual(refusal("is not a regular file"))
  const path = await write(keyFile)
  await truncate(path, 2 ** 40)
  expect(await open(path).reloader.reload(true)).toEqual(refusal("is longer than 1048576 bytes"))
  const pipe = join(directory, "pipe")
  execFileSync("mkfifo", [pipe])
  expect(await open(pipe).reloader.reload(true)).toEqual(refusal("is not a regular file"))
})

const keyOf = (at: number): string =>
  `- {id: key-${at}, environment: production, digest: "sha256:${at.toString(16).padStart(64, "0")}", createdAt: 2026-11-21T10:00:00.000Z, owner: team-${at}}\n`

/** The processor time that this thread and all threads spend on a reload, in microseconds. */
async function costOf(text: string, kind: string): Promise<{ readonly ours: number; readonly all: number }> {
  const { reloader } = open(await write(text))
  const [thread, process_] = [process.threadCpuUsage(), process.cpuUsage()]
  expect(await reloader.reload(true)).toMatchObject({ kind })
  const [ours, all] = [process.threadCpuUsage(thread), process.cpuUsage(process_)]
  return { ours: ours.user + ours.system, all: all.user + all.system }
}

const manyKeys = `keys:\n${Array.from({ length: 5_000 }, (_, at) => keyOf(at)).join("")}`

test.each([
  ["5,000 keys", manyKeys, "replaced"],
  ["brackets", "[".repeat(maxKeyFileLength), "refused"],
  ["quotes", '"'.repeat(maxKeyFileLength), "refused"],
])(
  "of the processor time that a reload of %s takes, less than half is the answering thread's",
  async (_, text, kind) => {
    const { ours, all } = await costOf(text, kind)
    expect(ours).toBeLessThan(all / 2) // parsed in this thread, it would be nearly all
  },
)

test.each(["[", '"', "! ", "a:\n"])("1 MiB of `%s` costs less than as many bytes of keys", async (piece) => {
  const strange = await costOf(piece.repeat(maxKeyFileLength / piece.length), "refused")
  expect(strange.all).toBeLessThan((await costOf(manyKeys, "replaced")).all)
})

test("a file that may not be read is refused", async () => {
  const path = await write(keyFile)
  await chmod(path, 0)
  const result = await open(path).reloader.reload(true)
  if (result.kind === "refused") expect(result).toEqual(refusal("EACCES")) // root reads everything
  await rm(path)
})

test("a file that is no key file is refused without a word of it", async () => {
  const { reloader } = open(await write("keys:\n  - id: web\n    secret: hunter2hunter2\n"))
  const result = await reloader.reload(true)
  expect(result).toEqual(refusal("is not valid"))
  expect(JSON.stringify(result)).not.toMatch("hunter2")
})
