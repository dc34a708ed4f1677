import {
  ErrorCode,
  type EvaluationContext,
  type JsonValue,
  type Logger,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  ProviderFatalError,
  ProviderNotReadyError,
  type ResolutionDetails,
} from "@openfeature/server-sdk"
import type { Json } from "../contract/snapshot.ts"
import { withMoment } from "../evaluation/with-moment.ts"
import type { Flags } from "./flags.ts"
import { type Follower, type FollowListener, followDocument } from "./follow-document.ts"
import {
  checkOptions,
  type FlagstoneProviderOptions,
  type RemoteConfig,
  readRemoteOptions,
} from "./options.ts"
import { hasFixedFlags, readFixedFlags } from "./read-fixed-flags.ts"
import { machine, type World } from "./world.ts"

export type { FlagValuesDocument } from "../evaluation/document-of-values.ts"
export type {
  ContextOptions,
  DocumentOptions,
  FileOptions,
  FlagstoneProviderOptions,
  RemoteOptions,
} from "./options.ts"

/**
 * Evaluates the flags of one environment in process, for OpenFeature's server SDK. Contexts never leave the
 * application. After the first good document there are always flags: later failures make them stale, but they stay.
 */
export class FlagstoneProvider implements Provider {
  readonly metadata = { name: "Flagstone" } as const
  readonly runsOn = "server"
  readonly events = new OpenFeatureEventEmitter()
  readonly #options: FlagstoneProviderOptions
  readonly #remote: RemoteConfig | undefined
  readonly #world: World
  #follower: Follower | undefined
  #flags: Flags | undefined
  #logger: Logger | undefined
  #unlogged: readonly (readonly [Level, string])[] = []

  /** Throws a `TypeError` for a bad option. */
  constructor(options: FlagstoneProviderOptions, world: World = machine) {
    checkOptions(options)
    this.#options = options
    this.#remote = "url" in options ? readRemoteOptions(options) : undefined
    const own = "url" in options ? options.fetch : undefined
    this.#world = own === undefined ? world : { ...world, fetch: own, openStream: own }
  }

  /**
   * Resolves when there are flags. Rejects with a `ProviderFatalError` if the key is refused or the given document is
   * invalid, and with a `ProviderNotReadyError` if the server has none yet; the server is asked again in both cases.
   */
  async initialize(): Promise<void> {
    this.#follower?.stop()
    this.#follower = this.#remote && followDocument(this.#remote, this.#world, this.#listener())
    if (hasFixedFlags(this.#options)) {
      this.#flags = await readFixedFlags(this.#options).catch(({ message }: Error) => {
        throw new ProviderFatalError(message)
      })
    }
    const failure = await this.#follower?.start(this.#flags)
    if (failure !== undefined)
      throw new (failure.isRefused ? ProviderFatalError : ProviderNotReadyError)(failure.reason)
  }

  /** Ends requests and timers; there are no events afterwards. Resolves when the cache file is complete. */
  async onClose(): Promise<void> {
    await this.#follower?.stop()
  }

  resolveBooleanEvaluation(key: string, fallback: boolean, context: EvaluationContext, logger: Logger) {
    return this.#resolve("boolean", key, fallback, context, logger)
  }

  resolveStringEvaluation(key: string, fallback: string, context: EvaluationContext, logger: Logger) {
    return this.#resolve("string", key, fallback, context, logger)
  }

  resolveNumberEvaluation(key: string, fallback: number, context: EvaluationContext, logger: Logger) {
    return this.#resolve("number", key, fallback, context, logger)
  }

  resolveObjectEvaluation<T extends JsonValue>(
    key: string,
    fallback: T,
    context: EvaluationContext,
    logger: Logger,
  ) {
    return this.#resolve("object", key, fallback, context, logger)
  }

  async #resolve<T extends JsonValue>(
    expected: Expected,
    key: string,
    value: T,
    context: EvaluationContext,
    logger: Logger,
  ): Promise<ResolutionDetails<T>> {
    this.#logger = logger
    for (const [level, text] of this.#unlogged) logger?.[level](text)
    this.#unlogged = []
    const flags = this.#follower?.flags ?? this.#flags
    if (flags === undefined)
      throw new ProviderNotReadyError(
        `there are no flags yet: ${this.#follower?.failure?.reason ?? "no response so far"}`,
      )
    const { clockAttribute } = this.#options
    const resolution = flags.resolve(key, withMoment(context, clockAttribute, this.#world.now()))
    if (resolution.kind === "failed") {
      const { errorCode, errorDetails } = resolution
      return { value, reason: "ERROR", errorCode: ErrorCode[errorCode], errorMessage: errorDetails }
    }
    const { variant, reason } = resolution
    if (isExpected<T>(resolution.value, expected))
      return { value: resolution.value, variant, reason, flagMetadata: flags.metadata }
    const errorMessage = `The value of ${key} is not of type ${expected}`
    return { value, reason: "ERROR", errorCode: ErrorCode.TYPE_MISMATCH, errorMessage }
  }

  #listener(): FollowListener {
    const { events } = this
    return {
      onReady: () => {
        this.#log("info", "the flags are current")
        events.emit(ProviderEvents.Ready, {})
      },
      onChanged: (keys) => events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...keys] }),
      onStale: (message) => {
        this.#log("warn", `the flags are stale: ${message}`)
        events.emit(ProviderEvents.Stale, { message })
      },
      onRefused: (message) => {
        this.#log("warn", `there are no flags: ${message}`)
        events.emit(ProviderEvents.Error, { message })
      },
      onWarning: (message) => this.#log("warn", message),
    }
  }

  /** The application's logger comes with evaluations: until the first, only the last two messages wait for it. */
  #log(level: Level, message: string): void {
    const text = `flagstone: ${message}`
    if (this.#logger === undefined) this.#unlogged = [...this.#unlogged.slice(-1), [level, text]]
    else this.#logger[level](text)
  }
}

type Level = "warn" | "info"

/** The type that an application asked for. */
type Expected = "boolean" | "string" | "number" | "object"

/** Whether a value has the expected type. Null does not count as an object: applications would read its members. */
function isExpected<T>(value: Json, expected: Expected): value is Json & T {
  return value !== null && typeof value === expected
}
