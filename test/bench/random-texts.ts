import { readFileSync } from "node:fs"
import { request as send } from "node:http"
import { join } from "node:path"
import type { Rule } from "../../sdk/contract/snapshot.ts"
import { cpuSeconds, type Request, round, startServe, type Target } from "./servers.ts"
import { buildSnapshots } from "./snapshots.ts"

/** An expression that hundreds of new states are created for when it reads a text like those below. */
const rulesAt = (at: number): readonly Rule[] => [
  {
    id: `r${at}`,
    attribute: "agent",
    operator: "matches",
    value: `iphone.{0,100}os(1|z${at})`,
    returnValue: true,
  },
]

const plainText = () => "Mozilla/5.0 (iphone; cpu iphone os 17_0 like mac os x) applewebkit/605 os1"

/** About as much as is allowed, with what the expressions need, and without a match. */
function randomText(): string {
  let text = "os1 "
  while (text.length < 1000) text += Math.random() < 0.5 ? "iphone" : "ipXone"
  return text
}

/**
 * What evaluations cost while every text is new to the expressions of all flags, compared with a text that everybody
 * sends, and the memory that they leave. `seconds` for each kind of request.
 */
export async function benchRandomTexts(
  folder: string,
  keyFile: string,
  request: Request,
  seconds: number,
): Promise<readonly Record<string, unknown>[]> {
  const table: Record<string, unknown>[] = []
  for (const flags of [40, 1_000]) {
    const dist = join(folder, `random-${flags}`)
    buildSnapshots(dist, { project: "shop", flags, environments: ["production"], rulesAt })
    const proxy = await startServe(
      ["--snapshots", dist, "--keys", keyFile, "--ofrep"],
      ["--max-semi-space-size=4"],
    )
    const start = megabytes(proxy)
    const one = { ...request, path: `${request.path}/flag-00001` }
    const plain = await cost(proxy, request, plainText, seconds)
    const oneRandom = await cost(proxy, one, randomText, seconds)
    const random = await cost(proxy, request, randomText, seconds * 5)
    const most = megabytes(proxy)
    proxy.stop()
    table.push({
      flags,
      "MB at start": start,
      "MB at most": most,
      goal: "≤ 350",
      met: most <= 350 ? "yes" : "NO",
      "one flag, random ms": oneRandom,
      "all flags, random ms": random,
      "all flags, plain ms": plain,
    })
  }
  return table
}

/** Milliseconds of the server's CPU for each of the requests that one client sends one after another. */
async function cost(
  target: Target,
  request: Request,
  textOf: () => string,
  seconds: number,
): Promise<number> {
  const end = performance.now() + seconds * 1000
  const before = cpuSeconds(target.pid)
  let count = 0
  for (; performance.now() < end; count++) {
    const status = await post(target, request, JSON.stringify({ context: { agent: textOf() } }))
    if (status !== 200) throw new Error(`answers ${status}`)
  }
  return round(((cpuSeconds(target.pid) - before) * 1000) / count)
}

function post({ port }: Target, { path, headers }: Request, body: string): Promise<number> {
  return new Promise((done, failed) => {
    const sent = send({ port, path, headers, method: "POST" }, (response) => {
      response.resume().once("end", () => done(response.statusCode ?? 0))
    })
    sent.once("error", failed).end(body)
  })
}

/** The largest resident memory so far. */
function megabytes({ pid }: Target): number {
  return Math.round(
    Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024,
  )
}
