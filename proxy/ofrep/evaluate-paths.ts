import type { H3, H3Event } from "h3"
import { evaluateMethod, evaluatePath } from "../contract/http.ts"
import type { AllowedByCors, Cors } from "../http/cors.ts"
import { decodeKey } from "../http/decode-key.ts"
import type { Route } from "../http/event-context.ts"
import { respondPreflight } from "../http/respond.ts"
import { encodedKey } from "../http/target.ts"
import { type EvaluateRequest, respondError } from "./respond.ts"

/** Answers a request to evaluate. */
export type AnswerEvaluation = (request: EvaluateRequest) => Response | Promise<Response>

/** Adds the routes that evaluate all flags and one flag, which pages may use, too. */
export function addEvaluateRoutes(app: H3, cors: Cors, answer: AnswerEvaluation): void {
  for (const [path, route] of paths) {
    const options = { meta: { route }, middleware: cors.middleware }
    const refuse = (event: H3Event): Response =>
      respondError({ event, key: keyOf(event) }, "methodNotAllowed", [["allow", evaluateMethod]])
    app.post(path, (event) => answer({ event, key: keyOf(event) }), options)
    app.options(path, (event) => respondPreflight(event, cors, allowed) ?? refuse(event), options)
    app.all(path, refuse, options)
  }
}

/** Answers a request that one of those routes failed to answer; `undefined` for all others. */
export function respondFailure(event: H3Event): Response | undefined {
  return paths.some(([, route]) => route === event.context.matchedRoute?.meta?.route)
    ? respondError({ event, key: keyOf(event) }, "internal")
    : undefined
}

const paths: readonly (readonly [path: string, route: Route])[] = [
  [evaluatePath, evaluatePath],
  [`${evaluatePath}/**:key`, `${evaluatePath}/{key}`],
]

/** The requested flag; `undefined`: all flags. */
function keyOf(event: H3Event): string | undefined {
  if (event.context.matchedRoute?.meta?.route === evaluatePath) return undefined
  const encoded = encodedKey(event, evaluatePath)
  return decodeKey(encoded) ?? encoded
}

const allowed: AllowedByCors = {
  methods: evaluateMethod,
  headers: "Authorization, Content-Type, If-None-Match, X-API-Key",
}
