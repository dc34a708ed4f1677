import { evaluateEventsPath, evaluateMethod, evaluatePath } from "../contract/http.ts"
import type { AllowedByCors, Cors } from "../http/cors.ts"
import { decodeKey } from "../http/decode-key.ts"
import type { ProxyRequest } from "../http/exchange.ts"
import type { Answer } from "../http/h3-app.ts"
import { respondPreflight } from "../http/respond.ts"
import { createEvaluateRoute, type EvaluateRouteParts } from "./evaluate-route.ts"
import { createEventsRoute, formatEventStreams, type OfrepEvents } from "./events-route.ts"
import { type EvaluateReply, respondInternalError, respondMethodNotAllowed } from "./respond.ts"

/** OpenFeature's remote evaluation protocol, OFREP 0.3.0: the proxy evaluates flags in a request's context. */
export interface Ofrep {
  /** Answers a request for one of its paths; `undefined` for all others. */
  answer(request: ProxyRequest): Answer | Promise<Answer> | undefined
  /** Answers if `answer` throws. */
  answerFailure(request: ProxyRequest): Answer | undefined
}

export function createOfrep(
  parts: EvaluateRouteParts & { readonly cors: Cors },
  ofrepEvents?: OfrepEvents,
): Ofrep {
  const evaluate = createEvaluateRoute({
    ...parts,
    eventStreamsOf:
      ofrepEvents && ((id, tag) => formatEventStreams(ofrepEvents.tickets.issue(id, parts.now()), tag)),
  })
  const listen = ofrepEvents && createEventsRoute(parts, ofrepEvents)

  function replyTo(request: ProxyRequest): EvaluateReply | undefined {
    // Clients whose base address ends with a slash request `//ofrep`. A 404 would mean to them that there are no flags.
    const path = request.path.startsWith("//") ? request.path.slice(1) : request.path
    const isSingle = path.startsWith(flagPrefix)
    if (!isSingle && path !== evaluatePath) return undefined
    const encoded = path.slice(flagPrefix.length)
    const key = isSingle ? (decodeKey(encoded) ?? encoded) : undefined
    return { request, key, cors: parts.cors.headersFor(request.headers.origin) }
  }

  return {
    answer(request) {
      if (request.path === evaluateEventsPath && listen !== undefined) {
        request.exchange.route = evaluateEventsPath
        const cors = parts.cors.headersFor(request.headers.origin)
        return listen({ request, cors })
      }
      const reply = replyTo(request)
      if (reply === undefined) return undefined
      request.exchange.route = reply.key === undefined ? evaluatePath : `${evaluatePath}/{key}`
      if (request.method === evaluateMethod) return evaluate(reply)
      const preflight = request.method === "OPTIONS" ? parts.cors.preflight(request, allowed) : undefined
      return preflight === undefined ? respondMethodNotAllowed(reply) : respondPreflight(preflight)
    },
    answerFailure(request) {
      const reply = replyTo(request)
      return reply && respondInternalError(reply)
    },
  }
}

const flagPrefix = `${evaluatePath}/`

const allowed: AllowedByCors = {
  methods: evaluateMethod,
  headers: "Authorization, Content-Type, If-None-Match, X-API-Key",
}
