// @module-tag slow
import { createServer, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, onTestFinished, test, vi } from "vitest"
import { openTestStore } from "./open-store.ts"

// Whatever answers as a store may be broken, or an attacker: it decides about no one, and costs no memory.

vi.setConfig({ testTimeout: 60_000 })

const bucket = { capacity: 10, refillPerSecond: 0.001 }
const grant = (granted: string, left: string, wait: string) =>
  `*3\r\n:${granted}\r\n$${left.length}\r\n${left}\r\n:${wait}\r\n`

/** A server that answers each command by what `answerTo` returns; `undefined`: it does not. */
async function startStore(answerTo: (command: string) => string | undefined) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket
      .on("data", (chunk) => {
        const answer = answerTo(String(chunk))
        if (answer !== undefined) socket.write(answer)
      })
      .on("error", () => undefined)
      .on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as { port: number }
  return { url: `redis://127.0.0.1:${port}`, sockets }
}

test.each([
  ["more than was asked for", grant("1000000", "3", "0")],
  ["less than nothing", grant("-1", "3", "0")],
  ["a remainder that is not a number", grant("1", "nan", "0")],
  ["a rest larger than the bucket", grant("1", "1e300", "0")],
  ["a wait of years", grant("0", "0", "999999999999")],
  ["a list of nothing", "*3\r\n$-1\r\n$-1\r\n$-1\r\n"],
  ["a longer list", "*4\r\n:1\r\n$1\r\n3\r\n:0\r\n:0\r\n"],
  ["HTTP", "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"],
  ["an error of a kilobyte", `-${"x".repeat(2_000)}\r\n`],
])("%s is not a grant: the store is down, and a local bucket decides", async (_, reply) => {
  let isHonest = true
  const store = await startStore(() => (isHonest ? grant("0", "1", "0") : reply))
  const { take, store: opened } = await openTestStore(store.url, { wait: 1_000 })
  isHonest = false
  expect(await take(bucket)).toEqual({ kind: "allowed", limit: 10, remaining: 9 })
  await expect.poll(opened.fault).toMatch(/malformed|not Redis|no response within/) // the request may not have waited for it
  for (let left = 8; left >= 0; left--) expect(take(bucket)).toMatchObject({ remaining: left })
  expect(take(bucket)).toMatchObject({ kind: "exhausted" })
  expect(opened.decisions.store).toBe(0)
})

test.each([
  // Redis, if its command is renamed; it cuts long arguments short.
  [
    "the arguments",
    (word: string) => `ERR unknown command 'AUTH', with args beginning with: 'limits' '${word}' `,
  ],
  [
    "their beginning",
    (word: string) => `ERR unknown command 'AUTH', with args beginning with: '${word.slice(0, 20)}`,
  ],
])("an error that repeats %s of a refused command shows no password", async (_, error) => {
  const password = `é-${crypto.randomUUID()}`
  const store = await startStore(() => `-${error(password)}\r\n`)
  const url = store.url.replace("//", `//limits:${encodeURIComponent(password)}@`)
  const { lines } = await openTestStore(url, { fault: /^ERR unknown command 'AUTH'/ })
  expect(JSON.stringify(lines)).toContain("unknown command")
  expect(JSON.stringify(lines)).not.toContain(password.slice(2, 10))
})

test("a store that sends more than was asked is cut off, again and again", async () => {
  const store = await startStore(() => undefined)
  const megabyte = `$500000000\r\n${"x".repeat(1_000_000)}`
  const flood = setInterval(() => {
    for (const socket of store.sockets) if (socket.writableLength === 0) socket.write(megabyte)
  }, 5)
  onTestFinished(() => clearInterval(flood))
  const { store: opened, take } = await openTestStore(store.url, {
    fault: /not Redis, or its response is too long/,
  })
  const before = process.memoryUsage().rss
  await sleep(3_000)
  expect(opened.fault()).toMatch(/its response is too long/)
  expect(take(bucket)).toMatchObject({ kind: "allowed", remaining: 9 })
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(50)
})

test("after a call that failed, that bucket is asked for until it answers", async () => {
  let isBad = true
  const calls: string[] = []
  const store = await startStore((command) => {
    if (!command.includes("bucket:bad")) return grant("0", "1", "0")
    calls.push(command)
    return isBad ? "-ERR moved\r\n" : grant("0", "1", "0")
  })
  const { take, store: opened } = await openTestStore(store.url)
  await take(bucket, "bad")
  await expect.poll(() => calls.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(3)
  expect(opened.fault()).toMatch("moved")
  isBad = false
  await expect.poll(opened.fault, { timeout: 10_000 }).toBeUndefined()
})
