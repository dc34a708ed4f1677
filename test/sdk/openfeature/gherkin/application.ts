import {
  type Client,
  type EvaluationContext,
  type EvaluationDetails,
  type FlagEvaluationOptions,
  type JsonValue,
  OpenFeature,
} from "@openfeature/server-sdk"

/** What the feature file calls the states of a provider. */
export type ProviderState = "stable" | "not ready" | "error" | "fatal" | "stale"

/** Sets the domain's provider, and resolves when it is in that state. */
export type StartProvider = (domain: string, state: ProviderState) => Promise<void>

/** The flag that a scenario asks for. */
export interface Question {
  readonly key: string
  readonly fallback: JsonValue
}

/** The application of one scenario: what it asks, and what it got. */
export interface Application {
  readonly client: Client
  readonly startProvider: (state: ProviderState) => Promise<void>
  question: Question
  context: EvaluationContext
  /** The context when the scenario began to use it. */
  contextBefore: EvaluationContext
  /** What happened, in order. */
  readonly happened: string[]
  options: FlagEvaluationOptions
  details: EvaluationDetails<JsonValue> | undefined
}

export function createApplication(domain: string, start: StartProvider): Application {
  return {
    client: OpenFeature.getClient(domain),
    startProvider: (state) => start(domain, state),
    question: { key: "", fallback: false },
    context: {},
    contextBefore: {},
    happened: [],
    options: {},
    details: undefined,
  }
}

/** Calls the method for the type of the fallback. */
export function evaluate({ client, question, context, options }: Application) {
  const { key, fallback } = question
  if (typeof fallback === "boolean") return client.getBooleanDetails(key, fallback, context, options)
  if (typeof fallback === "string") return client.getStringDetails(key, fallback, context, options)
  if (typeof fallback === "number") return client.getNumberDetails(key, fallback, context, options)
  return client.getObjectDetails(key, fallback, context, options)
}
