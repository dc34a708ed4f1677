import type { CommandUnknownOpts } from "commander"
import { Failure } from "../failure.ts"
import { isAddress } from "./addresses.ts"
import type { ServeOptions } from "./serve-options.ts"

/** An option that changes nothing without another. */
interface DependentOption {
  readonly name: keyof ServeOptions
  readonly isIdle: (options: ServeOptions) => boolean
  /** What it needs, and why. */
  readonly reason: string
}

const dependentOptions: readonly DependentOption[] = [
  {
    name: "evaluateRateLimit",
    isIdle: ({ ofrep }) => ofrep !== true,
    reason: "--evaluate-rate-limit needs --ofrep: without it, no one can ask for evaluations",
  },
  {
    name: "rateLimitWait",
    isIdle: ({ rateLimitStore }) => rateLimitStore === undefined,
    reason: "--rate-limit-wait needs --rate-limit-store: without it, there is nothing to wait for",
  },
  {
    name: "rateLimitProxies",
    isIdle: ({ rateLimitStore }) => rateLimitStore === undefined,
    reason: "--rate-limit-proxies needs --rate-limit-store: without it, each proxy applies the whole limit",
  },
  {
    name: "adminHost",
    isIdle: ({ adminPort }) => adminPort === undefined,
    reason: "--admin-host needs --admin-port: without it, there is no admin port",
  },
  {
    name: "cacheDir",
    isIdle: ({ snapshots, keys }) =>
      !isAddress("--keys", keys) && !snapshots.some((source) => isAddress("--snapshots", source)),
    reason: "--cache-dir needs a URL as --snapshots or --keys: folders and files are not cached",
  },
]

/**
 * Throws `Failure` for an option on the command line that changes nothing without another. A variable may be a default of the
 * image or the machine, so it may be idle.
 */
export function refuseIdleOptions(options: ServeOptions, command: CommandUnknownOpts): void {
  const idle = dependentOptions.find(
    ({ name, isIdle }) => command.getOptionValueSource(name) === "cli" && isIdle(options),
  )
  if (idle !== undefined) throw new Failure(idle.reason)
}
