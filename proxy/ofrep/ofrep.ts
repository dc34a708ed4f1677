import type { H3, H3Event } from "h3"
import { evaluateEventsPath, evaluateMethod, evaluatePath } from "../contract/http.ts"
import type { AllowedByCors, Cors } from "../http/cors.ts"
import { decodeKey } from "../http/decode-key.ts"
import type { Route } from "../http/event-context.ts"
import { addReadRoute } from "../http/read-route.ts"
import { respondPreflight } from "../http/respond.ts"
import { encodedKey } from "../http/target.ts"
import { createEvaluateRoute, type EvaluateRouteParts } from "./evaluate-route.ts"
import { createEventsRoute, formatEventStreams, type OfrepEvents } from "./events-route.ts"
import { respondError } from "./respond.ts"

/** OpenFeature's remote evaluation protocol, OFREP 0.3.0: the proxy evaluates flags in a request's context. */
export interface Ofrep {
  /** Adds its routes. */
  register(app: H3): void
  /** Answers a request that one of its routes failed to answer; `undefined` for all others. */
  respondFailure(event: H3Event): Response | undefined
}

export function createOfrep(
  parts: EvaluateRouteParts & { readonly cors: Cors },
  ofrepEvents?: OfrepEvents,
): Ofrep {
  const { cors } = parts
  const evaluate = createEvaluateRoute({
    ...parts,
    eventStreamsOf:
      ofrepEvents &&
      ((record, tag) => formatEventStreams(ofrepEvents.tickets.issue(record, parts.now()), tag)),
  })

  return {
    register(app) {
      for (const [path, route] of paths) {
        const options = { meta: { route }, middleware: cors.middleware }
        const refuse = (event: H3Event): Response =>
          respondError({ event, key: keyOf(event) }, "methodNotAllowed", [["allow", evaluateMethod]])
        app.post(path, (event) => evaluate({ event, key: keyOf(event) }), options)
        app.options(path, (event) => respondPreflight(event, cors, allowed) ?? refuse(event), options)
        app.all(path, refuse, options)
      }
      if (ofrepEvents !== undefined)
        addReadRoute(app, evaluateEventsPath, createEventsRoute(parts, ofrepEvents), {
          meta: { route: evaluateEventsPath },
          middleware: cors.middleware,
        })
    },
    respondFailure: (event) =>
      paths.some(([, route]) => route === event.context.matchedRoute?.meta?.route)
        ? respondError({ event, key: keyOf(event) }, "internal")
        : undefined,
  }
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
