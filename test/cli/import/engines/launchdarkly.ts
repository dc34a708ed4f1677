import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Engine, installFromNpm, load } from "./engine.ts"

const name = "@launchdarkly/node-server-sdk"

interface Client {
  waitForInitialization(options: object): Promise<unknown>
  variation(flag: string, context: object, fallback: unknown): Promise<unknown>
  close(): void
}
interface Package {
  init(key: string, options: object): Client
  basicLogger(options: object): object
}
interface Integrations {
  readonly FileDataSourceFactory: new (options: object) => { getFactory(): unknown }
}

export const launchDarkly: Engine = {
  tool: "launchdarkly",
  install: () => installFromNpm(name),
  async ask(file, asks) {
    const { init, basicLogger } = load<Package>(name)
    const { FileDataSourceFactory } = load<Integrations>(`${name}/integrations`)
    const folder = mkdtempSync(join(tmpdir(), "flagstone-launchdarkly-"))
    const path = join(folder, "flags.json")
    writeFileSync(path, JSON.stringify(file))
    const client = init("key", {
      ...{ sendEvents: false, diagnosticOptOut: true, logger: basicLogger({ level: "none" }) },
      updateProcessor: new FileDataSourceFactory({ paths: [path] }).getFactory(),
    })
    await client.waitForInitialization({ timeout: 10 })
    rmSync(folder, { recursive: true })
    const values: unknown[] = []
    for (const { flag, context } of asks)
      values.push(await client.variation(flag, { kind: "user", ...context }, undefined))
    client.close()
    return values
  },
  operators: [
    ...["in", "startsWith", "endsWith", "contains", "matches", "lessThan", "lessThanOrEqual", "greaterThan"],
    ...["greaterThanOrEqual", "before", "after", "semVerEqual", "semVerLessThan", "semVerGreaterThan"],
  ],
  fileOf: (flags) => ({
    flags: Object.fromEntries(
      flags.map(([key, comparisons]) => {
        const clauses = comparisons.map(
          ({ attribute, operator: op, operands: values, isNegated: negate }) => {
            return { attribute, contextKind: "user", op, values, negate }
          },
        )
        const plain = {
          key,
          on: true,
          version: 1,
          salt: "s",
          variations: [true, false],
          targets: [],
          prerequisites: [],
        }
        const rules = [{ id: "rule", variation: 0, clauses }]
        return [key, { ...plain, fallthrough: { variation: 1 }, offVariation: 1, rules }]
      }),
    ),
  }),
}
