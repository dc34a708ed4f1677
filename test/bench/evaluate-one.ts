import { PerformanceObserver } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import { requireFrom, sdks, unsaid } from "./evaluate-sdks.ts"
import { contexts, pairs, workloads } from "./evaluate-workloads.ts"

// One SDK through all workloads, in its own process: `evaluate.ts` starts it once for the times, with Node's defaults, and
// once for the bytes, with a nursery so large that nothing is collected while they are counted.

/** What `evaluate.ts` reads: times or bytes. Times are CPU times, which other processes disturb less. */
export interface Measured {
  readonly workload: string
  /** Milliseconds or bytes of an evaluation. */
  readonly each: number
  /** How many of 30,000 pairs of flag and context are on. */
  readonly on: number
  /** The same for all 1,000 flags at once; `null` if the SDK has no such call. */
  readonly all: number | null
}

const [, , name = "", folder = "", what = ""] = process.argv
const load = sdks[name]
if (load === undefined) throw new Error(`no SDK ${name}`)
const { gc } = globalThis
if (gc === undefined) throw new Error("start it with --expose-gc")

const contextCount = contexts.length
let collections = 0
new PerformanceObserver((list) => {
  collections += list.getEntries().length
}).observe({ entryTypes: ["gc"] })
/** The observer is notified of collections with a delay. */
const observerIsTold = () => setTimeout(20)

const results: Measured[] = []
for (const { name: workload, flags } of workloads) {
  const kinds = new Set(flags.flatMap(({ rules }) => rules.map(({ kind }) => kind)))
  if (unsaid[name]?.some((kind) => kinds.has(kind))) continue
  const sdk = await load(flags, contexts, requireFrom(folder))
  const keys: readonly string[] = JSON.parse(JSON.stringify(flags.map(({ key }) => key)))
  const isAsync = typeof sdk.evaluate(keys[0] ?? "", 0) === "object"
  let cursor = 0
  const run = async (count: number): Promise<number> => {
    let on = 0
    for (let done = 0; done < count; done++) {
      const pair = pairs[cursor] ?? 0
      cursor = (cursor + 1) % pairs.length
      const result = sdk.evaluate(keys[Math.floor(pair / contextCount)] ?? "", pair % contextCount)
      if ((isAsync ? await result : result) === true) on++
    }
    return on
  }
  const { evaluateAll } = sdk
  const runAll = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done++) {
      const result = evaluateAll?.(done % contextCount)
      if (result instanceof Promise) await result
    }
  }
  gc() // a server's flags are old: what was needed to load them is collected, and they are close together in memory
  const on = await run(30_000)
  await runAll(50)
  const each = what === "bytes" ? await bytesEach(run, 10_000) : await fastest(run)
  const allAtOnce = () => (what === "bytes" ? bytesEach(runAll, 20) : fastest(runAll))
  results.push({ workload, on, each, all: evaluateAll === undefined ? null : await allAtOnce() })
  await sdk.close?.()
}
console.log(JSON.stringify(results))
process.exit()

/** CPU milliseconds of one call, in the fastest of several rounds of about 30 ms. */
async function fastest(run: (count: number) => Promise<unknown>): Promise<number> {
  let count = 1
  while ((await processorTime(run, count)) < 15) count *= 2
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++)
    best = Math.min(best, (await processorTime(run, count * 2)) / (count * 2))
  return best
}

async function processorTime(run: (count: number) => Promise<unknown>, count: number): Promise<number> {
  const before = process.cpuUsage()
  await run(count)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Bytes allocated per call; counted in fewer calls if a collection interfered. */
async function bytesEach(run: (count: number) => Promise<unknown>, most: number): Promise<number> {
  await run(most)
  for (let count = most; count >= 1; count = Math.floor(count / 2)) {
    gc?.()
    await observerIsTold()
    collections = 0
    const before = process.memoryUsage().heapUsed
    await run(count)
    const after = process.memoryUsage().heapUsed
    await observerIsTold()
    if (collections === 0) return Math.max(0, after - before) / count
  }
  throw new Error("the nursery is too small to count the bytes of one call")
}
