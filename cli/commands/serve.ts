import { type Logger, type LoggerOptions, pino, stdTimeFunctions } from "pino"
import type { CheckedConfig } from "../../proxy/check.ts"
import { createLogStream } from "../../proxy/observability/log-stream.ts"
import type { ServedConfig } from "../../proxy/proxy-state.ts"
import { parseStoreAddress, type StoreAddress } from "../../proxy/rate-limit/store-address.ts"
import { type ProxyConfig, type RunningProxy, startProxy } from "../../proxy/serve.ts"
import { printable, printableLines } from "../diagnostics/printable.ts"
import { withoutCommands } from "../diagnostics/workflow-commands.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { refuseIdleOptions } from "./idle-options.ts"
import { declareServe, type ServeOptions } from "./serve-options.ts"
import { createServedKeys } from "./served-keys.ts"
import { createSnapshotSources } from "./snapshot-sources.ts"
import { untilStopped } from "./until-stopped.ts"

export const serveCommand = (host: Host, exit: Exit) =>
  declareServe().action((given, command) => {
    const options = { ...given, snapshots: [given.snapshots].flat() }
    refuseIdleOptions(options, command)
    return exit(runServe(options, host, command.parent?.version()))
  })

/**
 * Serves until SIGTERM or SIGINT, then drains; a second signal closes all connections. SIGHUP reloads everything
 * immediately.
 */
async function runServe(options: ServeOptions, host: Host, version?: string): Promise<ExitStatus> {
  const address = readStoreAddress(options.rateLimitStore)
  const eventsSecret = readEventsSecret(host)
  if (options.check === true) {
    const served = await createServed(options, host, pino({ level: "silent" }))
    const { clockAttribute } = options
    return runCheck({ ...served, rateLimitStore: address, clockAttribute }, host)
  }
  const log = createLogStream(host.stdout)
  const logger = pino({ level: options.logLevel, ...(options.logNumbers ? {} : readable) }, log)
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
      rateLimitStore: address && { address, wait: options.rateLimitWait, proxies: options.rateLimitProxies },
      drainDelay: options.drainDelay,
      logsRequests: options.accessLog ?? false,
      droppedLogLines: log.dropped,
      pollInterval: options.pollInterval,
      eventStreams: options.eventStreams,
      clockAttribute: options.clockAttribute,
      eventsSecret,
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

/** For people, and for `grep`: `"level":"warn"`, `"time":"2026-11-28T03:12:04.117Z"`. */
const readable: LoggerOptions = {
  timestamp: stdTimeFunctions.isoTime,
  formatters: { level: (level) => ({ level }) },
}

/** Milliseconds that a log reader has to read the last lines. */
const flushTime = 500

async function createServed(options: ServeOptions, host: Host, logger: Logger): Promise<ServedConfig> {
  if (options.clockAttribute !== undefined && options.ofrep !== true)
    throw new Failure(
      "--clock-attribute needs --ofrep: clients that read whole documents add the time themselves, by an option of their SDK",
    )
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
  const shown = (text: string) => `${withoutCommands(printableLines(text))}\n`
  for (const line of check.served) host.stdout.write(shown(printable(line)))
  for (const finding of check.findings) host.stderr.write(shown(finding))
  for (const warning of check.warnings) host.stderr.write(shown(`warning: ${warning}`))
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
      "--rate-limit-store: not a URL; write redis://user:password@redis.example:6379, rediss:// for TLS, or unix:///run/redis.sock",
    )
  return address
}
