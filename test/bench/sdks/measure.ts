import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"

// One SDK for JavaScript: how fast it starts and evaluates. As measure.py and measure.go; sdks.ts says what is given and printed.

const [engine = "", folder = "", size = "", seconds = "", address = "", key = ""] = process.argv.slice(2)
const contexts: readonly Readonly<Record<string, string>>[] = JSON.parse(
  readFileSync(join(folder, "contexts.json"), "utf8"),
)
const load = createRequire(join(process.cwd(), "package.json"))

/** Whether a flag is on, for the context at a position. */
type IsOn = (key: string, context: number) => boolean | Promise<boolean>

const engines: Readonly<Record<string, () => (text: string) => IsOn | Promise<IsOn>>> = {
  flagstone: () => async (text) => {
    const { evaluate } = await createEvaluator(JSON.parse(text))
    return (key, context) => {
      const evaluation = evaluate(key, contexts[context] ?? {})
      return evaluation.kind === "evaluated" && evaluation.value === true
    }
  },
  ofrep: () => () => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const bodies = contexts.map((context) => JSON.stringify({ context }))
    return async (key, context) => {
      const url = `${address}/ofrep/v1/evaluate/flags/${key}`
      const response = await fetch(url, { method: "POST", headers, body: bodies[context] ?? "" })
      return ((await response.json()) as { value: unknown }).value === true
    }
  },
  unleash: () => {
    const { Unleash, InMemStorageProvider } = load("unleash-client")
    const users = contexts.map((properties) => ({ properties }))
    return async (text) => {
      const unleash = new Unleash({
        url: "http://127.0.0.1:9/",
        appName: "bench",
        bootstrap: { data: JSON.parse(text).features },
        storageProvider: new InMemStorageProvider(),
        refreshInterval: 0,
        disableMetrics: true,
        disableAutoStart: true,
      })
      for (const event of ["error", "warn"]) unleash.on(event, () => {})
      const isReady = new Promise((resolve) => unleash.once("synchronized", resolve))
      await unleash.start()
      await isReady
      return (key, context) => unleash.isEnabled(key, users[context])
    }
  },
  growthbook: () => {
    const { GrowthBookClient } = load("@growthbook/growthbook")
    const users = contexts.map((attributes) => ({ attributes }))
    return (text) => {
      const client = new GrowthBookClient().initSync({ payload: JSON.parse(text) })
      return (key, context) => client.isOn(key, users[context])
    }
  },
  featurevisor: () => {
    const { createInstance } = load("@featurevisor/sdk")
    return (text) => {
      const instance = createInstance({ datafile: JSON.parse(text), logLevel: "error" })
      return (key, context) => instance.isEnabled(key, contexts[context])
    }
  },
  launchdarkly: () => {
    const { init, integrations } = load("@launchdarkly/node-server-sdk")
    const users = contexts.map(({ targetingKey, ...rest }) => ({ kind: "user", key: targetingKey, ...rest }))
    return async () => {
      const file = new integrations.FileDataSourceFactory({ paths: [path] })
      const client = init("sdk-key", { sendEvents: false, updateProcessor: file.getFactory() })
      await client.waitForInitialization({ timeout: 60 })
      return (key, context) => client.boolVariation(key, users[context], false)
    }
  },
  flagd: () => {
    const { FlagdCore } = load("@openfeature/flagd-core")
    return (text) => {
      const core = new FlagdCore()
      core.setConfigurations(text)
      return (key, context) => core.resolveBooleanEvaluation(key, false, contexts[context]).value
    }
  },
}

const megabytes = () => {
  globalThis.gc?.()
  return process.memoryUsage().rss / 1e6
}

/** Milliseconds of this process's CPU time, or of everyone's time if a server works, too. */
function now(): number {
  if (engine === "ofrep") return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const start = engines[engine]?.()
if (start === undefined) throw new Error(`no engine ${engine}`)
const file = engine === "ofrep" ? "flagstone" : engine
const path = join(folder, `${file}-${size}.json`)
const text = readFileSync(path, "utf8")
const [before, began] = [megabytes(), now()]
const isOn = await start(text)
const milliseconds = now() - began
const memory = megabytes() - before

const count = Number(size)
const keys = Array.from({ length: count }, (_, at) => `flag-${String(at).padStart(5, "0")}`)
let at = 0
async function evaluate(times: number): Promise<number> {
  let on = 0
  for (const end = at + times; at < end; at++) {
    const answer = isOn(keys[(at * 7_919) % count] ?? "", Math.floor(at / count) % contexts.length)
    if (answer === true || (answer !== false && (await answer))) on++
  }
  return on
}
const on = await evaluate(5 * count)
let perSecond = 0
for (let round = 0; round < 3 && Number(seconds) > 0; round++) {
  const from = now()
  let evaluations = 0
  for (; now() - from < Number(seconds) * 1_000; evaluations += 500) await evaluate(500)
  perSecond = Math.max(perSecond, (evaluations * 1_000) / (now() - from))
}
console.log(JSON.stringify({ milliseconds, memory, on, perSecond }))
process.exit()
