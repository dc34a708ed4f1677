import { type Comparison, type Engine, installFromNpm, load } from "./engine.ts"

interface Client {
  once(event: string, listener: () => void): void
  on(event: string, listener: () => void): void
  isEnabled(flag: string, context: object): boolean
  destroy(): void
}
interface Package {
  readonly Unleash: new (options: object) => Client
  readonly InMemStorageProvider: new () => object
}

export const unleash: Engine = {
  tool: "unleash",
  install: () => installFromNpm("unleash-client"),
  async ask(file, asks) {
    const { features, segments } = file as { readonly features: unknown; readonly segments?: unknown }
    const { Unleash, InMemStorageProvider } = load<Package>("unleash-client")
    const client = new Unleash({
      ...{ appName: "test", url: "http://127.0.0.1:9/", refreshInterval: 0, disableMetrics: true },
      ...{ skipInstanceCountWarning: true, storageProvider: new InMemStorageProvider() },
      bootstrap: { data: features, segments: segments ?? [] },
    })
    for (const event of ["error", "warn"]) client.on(event, () => {}) // no server is at that address
    await new Promise<void>((done) => client.once("ready", done))
    const values = asks.map(({ flag, context }) =>
      client.isEnabled(flag, { ...context, properties: context }),
    )
    client.destroy()
    return values
  },
  operators: [
    ...[
      "IN",
      "NOT_IN",
      "STR_STARTS_WITH",
      "STR_ENDS_WITH",
      "STR_CONTAINS",
      "NUM_EQ",
      "NUM_GT",
      "NUM_GTE",
      "NUM_LT",
    ],
    ...["NUM_LTE", "SEMVER_EQ", "SEMVER_GT", "SEMVER_LT", "DATE_AFTER", "DATE_BEFORE"],
  ],
  fileOf: (flags) => ({
    version: 2,
    features: flags.map(([name, comparisons]) => ({
      ...{ name, enabled: true, type: "release", variants: [] },
      strategies: [{ name: "default", parameters: {}, constraints: comparisons.map(constraintOf) }],
    })),
  }),
}

function constraintOf({ attribute, operator, operands, isNegated }: Comparison): object {
  const values = operands.map(String)
  const written = /^(NUM|SEMVER|DATE)_/.test(operator) ? { value: values[0] } : { values }
  return { contextName: attribute, operator, inverted: isNegated, ...written }
}
