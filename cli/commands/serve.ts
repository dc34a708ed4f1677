import { resolve } from "node:path"
import { Command, Option } from "commander"
import { type Level, pino } from "pino"
import type { Bucket } from "../../proxy/contract/key-file.ts"
import { createFileKeySource } from "../../proxy/keys/file-key-source.ts"
import { type ProxyConfig, type RunningProxy, startProxy } from "../../proxy/serve.ts"
import { createDirectorySource } from "../../proxy/snapshots/directory-source.ts"
import { Failure } from "../failure.ts"
import type { ExitStatus, Host } from "../host.ts"
import type { Exit } from "../program.ts"
import {
  hostOption,
  keysOption,
  parseDurationOption,
  parseList,
  portOption,
  rateLimitOption,
} from "./options.ts"

/** The options of `serve`; durations are milliseconds. */
export interface ServeOptions {
  readonly snapshots: string
  readonly keys: string
  readonly host: string
  readonly port: number
  readonly rateLimit: Bucket
  readonly pollInterval: number
  readonly corsOrigin: readonly string[]
  readonly drainDelay: number
  readonly logLevel: Level | "silent"
}

const levels: readonly ServeOptions["logLevel"][] = [
  "trace",
  "debug",
  "info",
  "warn",
  "error",
  "fatal",
  "silent",
]

export const serveCommand = (host: Host, exit: Exit): Command =>
  new Command("serve")
    .description("Serve the snapshots of a folder to everyone who has an API key.")
    .addOption(new Option("--snapshots <folder>", "the folder that build wrote").default("dist"))
    .addOption(keysOption())
    .addOption(hostOption())
    .addOption(portOption())
    .addOption(rateLimitOption())
    .addOption(
      duration("--poll-interval <duration>", "how often to look for changed files; 0s: never", 2_000),
    )
    .addOption(
      new Option("--cors-origin <origins>", "origins, parted by commas, whose pages may read the flags")
        .argParser(parseList)
        .default([], "none"),
    )
    .addOption(duration("--drain-delay <duration>", "how long to keep answering after SIGTERM", 0))
    .addOption(new Option("--log-level <level>", "what to log").choices(levels).default("info"))
    .addHelpText("after", "\nExample:\n  $ flagstone serve --snapshots dist --keys keys.yaml --port 8080")
    .action((options: ServeOptions) => exit(runServe(options, host)))

/** Serves until SIGTERM or SIGINT, then drains; a second signal cuts. SIGHUP loads everything again at once. */
export async function runServe(options: ServeOptions, host: Host): Promise<ExitStatus> {
  const proxy = await start({
    snapshots: createDirectorySource(resolve(host.cwd, options.snapshots)),
    keys: createFileKeySource(resolve(host.cwd, options.keys)),
    host: options.host,
    port: options.port,
    defaultBucket: options.rateLimit,
    corsOrigins: options.corsOrigin,
    drainDelay: options.drainDelay,
    pollInterval: options.pollInterval,
    now: host.now,
    monotonicNow: host.monotonicNow,
    logger: pino({ level: options.logLevel }, host.stdout),
  })
  const forget = host.onSignal("SIGHUP", () => void proxy.reload())
  await untilStopped(proxy, host)
  forget()
  return 0
}

/** Starts a proxy; what keeps it from starting is for the operator to mend, and is thrown as a `Failure`. */
export async function start(config: ProxyConfig): Promise<RunningProxy> {
  try {
    return await startProxy(config)
  } catch (cause) {
    throw new Failure((cause as Error).message, { cause })
  }
}

/** Resolves when a signal has stopped the proxy and its last connection is gone. */
export async function untilStopped(proxy: RunningProxy, host: Host): Promise<void> {
  const forgets: (() => void)[] = []
  await new Promise<void>((done, failed) => {
    const stop = () => void proxy.stop().then(done, failed)
    forgets.push(host.onSignal("SIGTERM", stop), host.onSignal("SIGINT", stop))
  })
  for (const forget of forgets) forget()
}

function duration(flags: string, description: string, milliseconds: number): Option {
  const shown = milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`
  return new Option(flags, description).argParser(parseDurationOption).default(milliseconds, shown)
}
