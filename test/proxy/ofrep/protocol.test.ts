import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { createEvaluateApp, type Evaluated, evaluatedFlags } from "./evaluated-flags.ts"

// protocol/ has OFREP 0.3.0 as https://github.com/open-feature/protocol publishes it (service/openapi.yaml, commit
// d1a63a4, Apache-2.0), unchanged. It contradicts itself in two places, which are corrected here: every value matches
// `codeDefaultFlag` besides its own kind, so `oneOf` refuses all of them; and `reason` lists no DEFAULT, which its own
// architecture decisions and every server send.
const description = parse(readFileSync(join(import.meta.dirname, "protocol/openapi.yaml"), "utf8"))
const success = description.components.schemas.evaluationSuccess
const [members, kinds] = success.allOf
kinds.anyOf = kinds.oneOf.slice(0, -1)
delete kinds.oneOf
members.properties.reason.enum.push("DEFAULT")

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema(description, "ofrep")

function check(schema: string, { body }: Evaluated): void {
  const validate = ajv.compile({ $ref: `ofrep#/components/schemas/${schema}` })
  validate(body)
  expect(validate.errors).toBeNull()
}

test("every flag's answer follows the protocol, alone and among all", async () => {
  const app = await createEvaluateApp()
  for (const context of [{}, { plan: "pro", targetingKey: "ann", email: "ann@example.com" }]) {
    for (const { flag } of evaluatedFlags) {
      const answer = await app.evaluate(flag.key, context)
      check(answer.status === 200 ? "serverEvaluationSuccess" : "evaluationFailure", answer)
    }
    check("bulkEvaluationSuccess", await app.evaluate(undefined, context))
  }
})

test("and so does every error that it describes", async () => {
  const app = await createEvaluateApp()
  check("flagNotFound", await app.evaluate("unknown"))
  check("evaluationFailure", await app.evaluate("static", "ann"))
  check("evaluationFailure", await app.evaluate("static", {}, { body: "[" }))
  check("bulkEvaluationFailure", await app.evaluate(undefined, {}, { body: "[" }))
  Object.defineProperty(app, "generation", { value: undefined })
  check("generalErrorResponse", await app.evaluate("static"))
})

test("the check can fail", async () => {
  const app = await createEvaluateApp()
  const answer = await app.evaluate("static")
  for (const change of [{ value: undefined }, { reason: "ALWAYS" }, { key: 1 }, { value: null }])
    expect(() =>
      check("serverEvaluationSuccess", { ...answer, body: { ...answer.body, ...change } }),
    ).toThrow(/^expected \[ .* to be null$/)
})
