import type { KeyObject } from "node:crypto"
import { Command, InvalidArgumentError, Option } from "commander"
import { type Level, type Logger, pino } from "pino"
import type { CheckedConfig } from "../../proxy/check.ts"
import type { Bucket } from "../../proxy/contract/bucket.ts"
import { parsePublicKey } from "../../proxy/contract/signature.ts"
import { createLogStream } from "../../proxy/observability/log-stream.ts"
import type { ServedConfig } from "../../proxy/proxy-state.ts"
import { parseStoreAddress, type StoreAddress } from "../../proxy/rate-limit/store-address.ts"
import { type ProxyConfig, type RunningProxy, startProxy } from "../../proxy/serve.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import {
  addToList,
  corsOriginOption,
  defaultEvaluateBucket,
  hostOption,
  parseBucketOption,
  parseCount,
  parseDurationOption,
  parsePort,
  portOption,
  rateLimitOption,
} from "./options.ts"
import { createServedKeys } from "./served-keys.ts"
import { createSnapshotSources } from "./snapshot-sources.ts"
import { untilStopped } from "./until-stopped.ts"

/** The options of `serve`; durations are milliseconds. */
export interface ServeOptions {
  /** `undefined`: `dist`. */
  readonly snapshots?: readonly string[]
  readonly cacheDir?: string
  /** `undefined`: what is served needs no signature. */
  readonly verifyKey?: KeyObject
  /** `undefined`: the address that the served snapshots were published to. */
  readonly verifyTarget?: string
  readonly allowOlder?: boolean
  readonly keys: string
  readonly host: string
  readonly port: number
  /** `undefined`: no metrics. */
  readonly adminPort?: number
  readonly adminHost: string
  readonly rateLimit: Bucket
  /** Whether flags are also evaluated here. */
  readonly ofrep?: boolean
  readonly evaluateRateLimit: Bucket
  /** `undefined`: none. */
  readonly clockAttribute?: string
  /** `undefined`: the proxy has its own buckets. */
  readonly rateLimitStore?: string
  readonly rateLimitWait: number
  /** How many proxies share that store. */
  readonly rateLimitProxies: number
  readonly pollInterval: number
  readonly corsOrigin: readonly string[]
  /** How many reverse proxies are trusted to report client addresses. */
  readonly trustProxy: number
  readonly drainDelay: number
  /** How many clients may listen to events; `undefined`: 10,000, and 0: none. */
  readonly eventStreams?: number
  readonly accessLog?: boolean
  readonly check?: boolean
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
    .addOption(
      new Option(
        "--snapshots <source>",
        "the folder that build wrote, or the address where publish put it; once for each project",
      )
        .argParser(addToList)
        .default("dist"), // not a list: given values would be added to it
    )
    .option(
      "--cache-dir <folder>",
      "where to cache what addresses serve, so that a proxy can start while they are down",
    )
    .addOption(
      new Option(
        "--verify-key <key>",
        "accept only snapshots (and keys from an address) signed with the private half of this key",
      ).argParser(parseVerifyKey),
    )
    .option("--verify-target <address>", "with --verify-key: accept only what was published to this address")
    .option("--allow-older", "with --verify-key: also accept publications older than the one being served")
    .addOption(
      new Option("--keys <source>", "the key file, or the address where publish put it").default("keys.yaml"),
    )
    .addOption(hostOption())
    .addOption(portOption())
    .addOption(
      new Option(
        "--admin-port <number>",
        "the port for metrics and health details; none by default",
      ).argParser(parsePort),
    )
    .addOption(
      new Option("--admin-host <address>", "the address the admin port listens on; it needs no key").default(
        "127.0.0.1",
      ),
    )
    .addOption(rateLimitOption())
    .option("--ofrep", "also evaluate flags for OpenFeature's clients over HTTP (OFREP)")
    .addOption(
      new Option(
        "--evaluate-rate-limit <capacity/refill>",
        "with --ofrep: capacity and refill per second of each client address, for keys without their own",
      )
        .argParser(parseBucketOption)
        .default(defaultEvaluateBucket, "200/20"),
    )
    .option(
      "--clock-attribute <name>",
      "with --ofrep: the attribute that gets the current time if a context lacks it, for schedules",
    )
    .option(
      "--rate-limit-store <address>",
      "the Redis or Valkey server through which proxies share limits: redis://, rediss:// or unix://; prefer the variable, because the address may hold a password",
    )
    .addOption(
      duration("--rate-limit-wait <duration>", "how long a request may wait for that store", 25).argParser(
        parseWait,
      ),
    )
    .addOption(
      new Option(
        "--rate-limit-proxies <number>",
        "how many proxies share that store: while it is down, each applies its part of a limit",
      )
        .argParser(parseProxies)
        .default(1),
    )
    .addOption(
      new Option("--event-streams <number>", "how many clients may listen for changes; 0: none")
        .argParser(parseCount)
        .default(10_000),
    )
    .addOption(duration("--poll-interval <duration>", "how often to check for changes; 0s: never", 2_000))
    .addOption(corsOriginOption().default([], "none"))
    .addOption(
      new Option(
        "--trust-proxy <hops>",
        "how many of your own proxies in front of this one add to X-Forwarded-For",
      )
        .argParser(parseCount)
        .default(0),
    )
    .addOption(duration("--drain-delay <duration>", "how long to keep answering after SIGTERM", 0))
    .addOption(new Option("--log-level <level>", "what to log").choices(levels).default("info"))
    .option("--access-log", "log a line for each request")
    .option("--check", "load everything, report what is wrong, and exit")
    .addHelpText("after", "\nExample:\n  $ flagstone serve --snapshots dist --keys keys.yaml --port 8080")
    .action(
      (options: ServeOptions & { readonly snapshots: string | readonly string[] }, { parent }: Command) =>
        exit(runServe({ ...options, snapshots: [options.snapshots].flat() }, host, parent?.version())),
    )

/**
 * Serves until SIGTERM or SIGINT, then drains; a second signal closes all connections. SIGHUP reloads everything
 * immediately.
 */
export async function runServe(options: ServeOptions, host: Host, version?: string): Promise<ExitStatus> {
  const rateLimitStore = readStoreAddress(options.rateLimitStore)
  if (options.check === true) {
    const served = await createServed(options, host, pino({ level: "silent" }))
    return runCheck({ ...served, rateLimitStore, listening: options }, host)
  }
  const log = createLogStream(host.stdout)
  const logger = pino({ level: options.logLevel }, log)
  // Installed before loading: without a handler SIGHUP kills a proxy that is still loading.
  let proxy: RunningProxy | undefined
  let isReloadDue = false
  const reload = (): void => {
    isReloadDue = proxy === undefined
    void proxy?.reload()
  }
  const forget = host.onSignal("SIGHUP", reload)
  async function serve(): Promise<RunningProxy> {
    proxy = await start({
      ...(await createServed(options, host, logger)),
      host: options.host,
      port: options.port,
      adminPort: options.adminPort,
      adminHost: options.adminHost,
      version,
      corsOrigins: options.corsOrigin,
      trustedHops: options.trustProxy,
      rateLimitStore,
      rateLimitWait: options.rateLimitWait,
      rateLimitProxies: options.rateLimitProxies,
      drainDelay: options.drainDelay,
      logsRequests: options.accessLog ?? false,
      droppedLogLines: log.dropped,
      pollInterval: options.pollInterval,
      eventStreams: options.eventStreams,
      clockAttribute: options.clockAttribute,
      eventsSecret: readEventsSecret(host),
    })
    if (isReloadDue) reload()
    return proxy
  }
  await untilStopped(serve(), host)
  forget()
  // A log reader that stalls, or an origin that is being loaded for the first time, must not delay the exit.
  host.exitWithin(proxy === undefined ? 0 : flushTime)
  return 0
}

/** Milliseconds that a log reader has to read the last lines. */
const flushTime = 500

async function createServed(options: ServeOptions, host: Host, logger: Logger): Promise<ServedConfig> {
  return {
    snapshots: await createSnapshotSources(options, host),
    keys: await createServedKeys(options, host),
    defaultBucket: options.rateLimit,
    evaluateBucket: options.ofrep === true ? options.evaluateRateLimit : undefined,
    clock: host,
    logger,
  }
}

/** Prints what would be served on stdout and what is wrong on stderr. Returns 1 if anything is wrong. */
async function runCheck(served: CheckedConfig, host: Host): Promise<ExitStatus> {
  const { checkServed } = await import("../../proxy/check.ts")
  const check = await checkServed(served)
  for (const line of check.served) host.stdout.write(`${line}\n`)
  for (const finding of check.findings) host.stderr.write(`${finding}\n`)
  for (const warning of check.warnings) host.stderr.write(`warning: ${warning}\n`)
  return check.findings.length === 0 ? 0 : 1
}

/** Starts a proxy. Throws a `Failure` that says why it cannot start. */
async function start(config: ProxyConfig): Promise<RunningProxy> {
  try {
    return await startProxy(config)
  } catch (cause) {
    throw new Failure((cause as Error).message, { cause })
  }
}

/**
 * The secret that signs tickets: proxies that share one accept each other's tickets; without one, tickets are valid
 * only for this run.
 */
function readEventsSecret({ env, randomBytes }: Host): string | Uint8Array {
  const secret = env.FLAGSTONE_EVENTS_SECRET || randomBytes(32)
  if (secret.length < 32)
    throw new Failure(
      "FLAGSTONE_EVENTS_SECRET: write at least 32 characters, such as the output of `openssl rand -hex 32`",
    )
  return secret
}

/** The argument may hold a password, so no message repeats it. */
function readStoreAddress(text: string | undefined): StoreAddress | undefined {
  if (text === undefined) return undefined
  const address = parseStoreAddress(text)
  if (address === undefined)
    throw new Failure(
      "--rate-limit-store: not an address; write redis://user:password@redis.example:6379, rediss:// for TLS, or unix:///run/redis.sock",
    )
  return address
}

function parseWait(text: string): number {
  const wait = parseDurationOption(text)
  if (wait < 1 || wait > 500) throw new InvalidArgumentError("Write 1ms to 500ms.")
  return wait
}

function parseProxies(text: string): number {
  const count = parseCount(text)
  if (count === 0) throw new InvalidArgumentError("Write 1 or more.")
  return count
}

function parseVerifyKey(text: string): KeyObject {
  const key = parsePublicKey(text)
  if (key.kind === "invalid")
    throw new InvalidArgumentError("Write the public key that keys signing printed.")
  return key.value
}

function duration(flags: string, description: string, milliseconds: number): Option {
  const shown = milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`
  return new Option(flags, description).argParser(parseDurationOption).default(milliseconds, shown)
}
