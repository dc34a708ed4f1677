import type { KeyObject } from "node:crypto"
import { Command, InvalidArgumentError, Option } from "commander"
import type { Level } from "pino"
import { parsePublicKey } from "../../proxy/contract/signature.ts"
import {
  addToList,
  corsOriginOption,
  defaultEvaluateBucket,
  hostOption,
  type OptionsOf,
  parseBucketOption,
  parseCount,
  parseDurationOption,
  parsePort,
  portOption,
  rateLimitOption,
} from "./options.ts"

const levels: readonly (Level | "silent")[] = ["trace", "debug", "info", "warn", "error", "fatal", "silent"]

/** `serve` with its options, and no action. */
export const declareServe = () =>
  new Command("serve")
    .addOption(snapshotsOption())
    .option(
      "--cache-dir <folder>",
      "where to cache what URLs serve, so that a proxy can start while they are down",
    )
    .addOption(verifyKeyOption())
    .option("--verify-target <url>", "with --verify-key: accept only what was published to this URL")
    .option("--allow-older", "also accept publications older than the one being served")
    .addOption(
      new Option("--keys <source>", "the key file, or the URL where publish put it").default("keys.yaml"),
    )
    .addOption(hostOption())
    .addOption(portOption())
    .addOption(adminPortOption())
    .addOption(adminHostOption())
    .addOption(rateLimitOption())
    .option("--ofrep", "also evaluate flags for OpenFeature's clients over HTTP (OFREP)")
    .addOption(evaluateRateLimitOption())
    .option(
      "--clock-attribute <name>",
      "with --ofrep: the attribute that gets the current time if a context lacks it, for schedules",
    )
    .option(
      "--rate-limit-store <url>",
      "the Redis or Valkey server through which proxies share limits: redis://, rediss:// or unix://; prefer the variable, because the URL may contain a password",
    )
    .addOption(rateLimitWaitOption())
    .addOption(rateLimitProxiesOption())
    .addOption(eventStreamsOption())
    .addOption(duration("--poll-interval <duration>", "how often to check for changes; 0s: never", 2_000))
    .addOption(corsOriginOption().default([], "none"))
    .addOption(trustProxyOption())
    .addOption(duration("--drain-delay <duration>", "how long to keep serving after SIGTERM", 0))
    .addOption(new Option("--log-level <level>", "what to log").choices(levels).default("info"))
    .option("--log-numbers", "log levels as numbers and times in milliseconds, as pino does")
    .option("--access-log", "log a line for each request")
    .option("--check", "load everything, report what is wrong, and exit")
    .addHelpText("after", "\nExample:\n  $ flagstone serve --snapshots dist --keys keys.yaml --port 8080")

const snapshotsOption = () =>
  new Option(
    "--snapshots <source>",
    "the folder that build wrote, or the URL where publish put it; once for each project",
  )
    .argParser(addToList)
    .default("dist") // not a list: given values would be added to it

const verifyKeyOption = () =>
  new Option(
    "--verify-key <key>",
    "accept only snapshots (and keys from a URL) signed with the private half of this key",
  ).argParser(parseVerifyKey)

const adminPortOption = () =>
  new Option("--admin-port <number>", "the port for metrics and health details; none by default").argParser(
    parsePort,
  )

const adminHostOption = () =>
  new Option("--admin-host <address>", "the address the admin port listens on; it needs no key").default(
    "127.0.0.1",
  )

const evaluateRateLimitOption = () =>
  new Option(
    "--evaluate-rate-limit <capacity/refill>",
    "with --ofrep: capacity and refill per second of each client IP address, for keys without their own",
  )
    .argParser(parseBucketOption)
    .default(defaultEvaluateBucket, "200/20")

const rateLimitWaitOption = () =>
  duration("--rate-limit-wait <duration>", "how long a request may wait for that store", 25).argParser(
    parseWait,
  )

const rateLimitProxiesOption = () =>
  new Option(
    "--rate-limit-proxies <number>",
    "how many proxies share that store: while it is down, each applies its part of a limit",
  )
    .argParser(parseProxies)
    .default(1)

const eventStreamsOption = () =>
  new Option("--event-streams <number>", "how many clients may listen for changes; 0: none")
    .argParser(parseCount)
    .default(10_000)

const trustProxyOption = () =>
  new Option(
    "--trust-proxy <hops>",
    "how many of your own proxies in front of this one add to X-Forwarded-For",
  )
    .argParser(parseCount)
    .default(0)

/** The options of `serve`; durations are milliseconds. */
export interface ServeOptions extends Omit<OptionsOf<typeof declareServe>, "snapshots"> {
  /** Folders and addresses. */
  readonly snapshots: readonly string[]
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

/** Reads a public key of `keys signing`. */
export function parseVerifyKey(text: string): KeyObject {
  const key = parsePublicKey(text)
  if (key.kind === "invalid")
    throw new InvalidArgumentError("Write the public key that keys signing printed.")
  return key.value
}

function duration<Flags extends string>(flags: Flags, description: string, milliseconds: number) {
  const shown = milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`
  return new Option(flags, description).argParser(parseDurationOption).default(milliseconds, shown)
}
