import type { Configuration, FlagEntry, Json, Rule } from "../../../sdk/contract/snapshot.ts"
import { flagEntry } from "../../flag-entry.ts"
import { buildFiles } from "../fixtures.ts"
import { type AskInit, createTestApp, type TestApp, type TestAppOptions } from "../test-app.ts"

type Type = FlagEntry["flag"]["type"]

export function rule(operator: string, attribute: string, value: string, returnValue: Json): Rule {
  return { id: `by-${operator}`, attribute, operator, value, returnValue }
}

/** A flag with these rules; `null`: it is not configured. */
export function flagOf(
  key: string,
  type: Type,
  defaultValue: Json,
  rules: readonly Rule[] | null = [],
  changes: Partial<Configuration> = {},
): FlagEntry {
  const { flag, environment } = flagEntry(key, 1, defaultValue)
  return {
    flag: { ...flag, type },
    environment: environment && rules && { ...environment, rules, ...changes },
  }
}

/** A flag of each kind that clients encounter. */
export const evaluatedFlags: readonly FlagEntry[] = [
  flagOf("count", "number", 1, [rule("equals", "plan", "pro", 10)]),
  flagOf("disabled", "boolean", false, [rule("always", "", "", true)], { enabled: false }),
  flagOf("everyone", "boolean", false, [rule("always", "", "", true)]),
  flagOf("layout", "json", { columns: 2, ratio: 1 }, [
    rule("equals", "plan", "pro", { columns: 3, ratio: 1 }),
  ]),
  flagOf("ratio", "number", 1, [rule("equals", "plan", "pro", 1.5)]),
  flagOf("share", "boolean", false, [rule("percentage", "targetingKey", "100", true)]),
  flagOf("static", "boolean", true),
  flagOf("team/checkout", "boolean", false, [rule("endsWith", "email", "@example.com", true)]),
  flagOf("theme", "string", "grün", [rule("equals", "plan", "pro", "gold")]),
  flagOf("unconfigured", "string", "blue", null),
  flagOf("unknown-operator", "boolean", false, [rule("ourOwn", "plan", "pro", true)]),
]

export const path = "/ofrep/v1/evaluate/flags"

/** An app in memory that evaluates. */
export interface EvaluateApp extends TestApp {
  /** Asks for one flag, or for all, in a context. */
  evaluate(key: string | undefined, context?: Json, init?: AskInit): Promise<Evaluated>
}

export interface Evaluated {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: JSON
  readonly body: any
}

export async function createEvaluateApp(
  flags: readonly FlagEntry[] = evaluatedFlags,
  options: TestAppOptions = {},
): Promise<EvaluateApp> {
  const app = await createTestApp({ files: buildFiles({ production: flags }), ...options })
  return Object.assign(app, {
    async evaluate(key: string | undefined, context: Json = {}, init: AskInit = {}): Promise<Evaluated> {
      const target = key === undefined ? path : `${path}/${encodeURIComponent(key)}`
      const body = JSON.stringify({ context })
      return read(await app.ask(target, { method: "POST", body, ...init }))
    },
  })
}

export async function read(response: Response): Promise<Evaluated> {
  const text = await response.text()
  const { status, headers } = response
  return { status, headers, text, body: text === "" ? undefined : JSON.parse(text) }
}
