import type { EvaluationContext, EvaluationDetails, JsonValue } from "@openfeature/server-sdk"

/** What the feature file calls the states of a provider. */
export type ProviderState = "stable" | "not ready" | "error" | "fatal" | "stale"

/** The flag that a scenario asks for. */
export interface Question {
  readonly type: "Boolean" | "String" | "Integer" | "Float" | "Object"
  readonly key: string
  readonly fallback: JsonValue
}

/** An OpenFeature client with its provider, in any language. */
export interface Client {
  /** Sets the provider, and resolves when it is in that state. */
  start(state: ProviderState): Promise<void>
  /** The provider's status when it was started or last asked. */
  readonly status: string
  /** Calls the method for the type of the question. Its hooks say in `happened` what they saw. */
  evaluate(app: Application): Promise<EvaluationDetails<JsonValue>>
  close(): Promise<void>
}

/** The application of one scenario: what it asks, and what it got. */
export interface Application {
  readonly client: Client
  question: Question
  context: EvaluationContext
  /** The context when the scenario began to use it. */
  contextBefore: EvaluationContext
  /** What happened, in order. */
  readonly happened: string[]
  /** The names of the hooks. */
  hooks: readonly string[]
  details: EvaluationDetails<JsonValue> | undefined
}

export function createApplication(client: Client): Application {
  return {
    client,
    question: { type: "Boolean", key: "", fallback: false },
    context: {},
    contextBefore: {},
    happened: [],
    hooks: [],
    details: undefined,
  }
}
