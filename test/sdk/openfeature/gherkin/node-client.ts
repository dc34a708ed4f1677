import { type EvaluationDetails, type JsonValue, OpenFeature } from "@openfeature/server-sdk"
import type { Client, ProviderState } from "./application.ts"

/** Sets the domain's provider, and resolves when it is in that state. */
export type StartProvider = (domain: string, state: ProviderState) => Promise<void>

/** A client in this process. */
export function createNodeClient(domain: string, start: StartProvider): Client {
  const client = OpenFeature.getClient(domain)
  return {
    start: (state) => start(domain, state),
    get status() {
      return client.providerStatus
    },
    evaluate({ question, context, hooks, happened }): Promise<EvaluationDetails<JsonValue>> {
      const { key, fallback } = question
      const hook = (name: string) => ({
        before: () => void happened.push(`before ${name}`),
        after: () => void happened.push(`after ${name}`),
        finally: () => void happened.push(`finally ${name}`),
      })
      const options = { hooks: hooks.map(hook) }
      if (typeof fallback === "boolean") return client.getBooleanDetails(key, fallback, context, options)
      if (typeof fallback === "string") return client.getStringDetails(key, fallback, context, options)
      if (typeof fallback === "number") return client.getNumberDetails(key, fallback, context, options)
      return client.getObjectDetails(key, fallback, context, options)
    },
    close: () => OpenFeature.close(),
  }
}
