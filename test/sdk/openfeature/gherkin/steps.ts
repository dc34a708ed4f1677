import type { EvaluationDetails, JsonValue } from "@openfeature/server-sdk"
import { expect } from "vitest"
import type { Application, ProviderState, Question } from "./application.ts"
import type { ScenarioStep } from "./read-scenarios.ts"

type Run = (app: Application, words: readonly string[], rows: ScenarioStep["rows"]) => void | Promise<void>

/** Carries out a step, or throws if it does not hold. */
export async function runStep(app: Application, { text, rows }: ScenarioStep): Promise<void> {
  for (const [pattern, run] of steps) {
    const words = pattern.exec(text)?.slice(1)
    // In a text between quotation marks, each quotation mark has a backslash.
    if (words !== undefined)
      return run(
        app,
        words.map((word) => word.replaceAll('\\"', '"')),
        rows,
      )
  }
  throw new Error(`there is no step for: ${text}`)
}

const steps: readonly (readonly [RegExp, Run])[] = [
  [
    /^an? (stable|not ready|error|fatal|stale) provider$/,
    ({ client }, [state]) => client.start(state as ProviderState),
  ],
  [
    /^a (\w+)-flag with key "(.*)" and a fallback value "(.*)"$/,
    (app, [type, key = "", fallback]) => {
      app.question = { type: type as Question["type"], key, fallback: read(type, fallback) }
    },
  ],
  [
    /^a context containing a key "(.*)", with type "(.*)" and with value "(.*)"$/,
    (app, [key = "", type, value]) => {
      app.context = { ...app.context, [key]: read(type, value) }
    },
  ],
  [
    /^a context containing a key "(.*)" with null value$/,
    (app, [key = ""]) => {
      app.context = { ...app.context, [key]: null }
    },
  ],
  [
    /^an evaluation context with modifiable data$/,
    (app) => {
      app.context = { targetingKey: "ann", roles: ["admin"], shop: { country: "DE", since: new Date(0) } }
      app.contextBefore = structuredClone(app.context)
    },
  ],
  [
    /^evaluation options containing specific hooks$/,
    (app) => {
      app.hooks = ["one", "two"]
    },
  ],
  [
    /^the flag was evaluated with details(?: using the evaluation options)?$/,
    async (app) => {
      app.details = await app.client.evaluate(app)
    },
  ],
  [
    /^the flag was evaluated with details asynchronously$/,
    async (app) => {
      const evaluation = app.client.evaluate(app).then((details) => {
        app.happened.push("evaluated")
        app.details = details
      })
      app.happened.push("went on")
      await evaluation
    },
  ],
  [
    /^the evaluation should complete without blocking$/,
    ({ happened }) => expect(happened).toEqual(["went on", "evaluated"]),
  ],
  [
    /^the resolved details value should be "(.*)"$/,
    (app, [value]) => expect(said(app).value).toEqual(read(app.question.type, value)),
  ],
  [/^the reason should be "(.*)"$/, (app, [reason]) => expect(said(app).reason).toBe(reason)],
  [/^the error-code should be "(.*)"$/, (app, [code]) => expect(said(app).errorCode).toBe(code)],
  [/^the flag key should be "(.*)"$/, (app, [key]) => expect(said(app).flagKey).toBe(key)],
  [/^the variant should be "(.*)"$/, (app, [variant]) => expect(said(app).variant).toBe(variant)],
  [
    /^the resolved metadata should contain$/,
    (app, _, [, ...rows]) => {
      const expected = rows.map(([key = "", type, value]) => [key, read(type, value)])
      expect(said(app).flagMetadata).toMatchObject(Object.fromEntries(expected))
    },
  ],
  [/^the provider status should be "(.*)"$/, ({ client }, [status]) => expect(client.status).toBe(status)],
  [
    /^the specified hooks should execute during evaluation$/,
    ({ happened }) => expect(happened).toEqual(expect.arrayContaining(["before one", "before two"])),
  ],
  [
    /^the hook order should be maintained$/,
    ({ happened }) =>
      expect(happened).toEqual([
        ...["before one", "before two"],
        ...["after two", "after one"],
        ...["finally two", "finally one"],
      ]),
  ],
  [
    /^the original evaluation context should remain unmodified$/,
    ({ context, contextBefore }) => {
      expect(context).toEqual(contextBefore)
      expect(Object.isFrozen(context)).toBe(false) // the application may go on to change it
    },
  ],
  [/^the evaluation details should be immutable$/, (app) => expect(Object.isFrozen(said(app))).toBe(true)],
]

/** A value as the feature file writes it. An integer is a number without a fraction. */
function read(type = "", text = ""): JsonValue {
  switch (type) {
    case "String":
      return text
    case "Boolean":
    case "Object":
      return JSON.parse(text)
    case "Integer":
    case "Float":
      expect(text).toMatch(type === "Integer" ? /^-?\d+$/ : /^-?\d+(\.\d+)?$/)
      return Number(text)
    default:
      throw new Error(`there is no type ${type}`)
  }
}

function said({ details }: Application): EvaluationDetails<JsonValue> {
  if (details === undefined) throw new Error("the flag was not evaluated")
  return details
}
