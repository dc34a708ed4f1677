import type { H3, H3Event } from "h3"
import { evaluateEventsPath } from "../contract/http.ts"
import type { Cors } from "../http/cors.ts"
import { addReadRoute } from "../http/read-route.ts"
import { addEvaluateRoutes, respondFailure } from "./evaluate-paths.ts"
import { createEvaluateRoute, type EvaluateRouteParts } from "./evaluate-route.ts"
import { createEventsRoute, formatEventStreams, type OfrepEvents } from "./events-route.ts"

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
      addEvaluateRoutes(app, cors, evaluate)
      if (ofrepEvents !== undefined)
        addReadRoute(app, evaluateEventsPath, createEventsRoute(parts, ofrepEvents), {
          meta: { route: evaluateEventsPath },
          middleware: cors.middleware,
        })
    },
    respondFailure,
  }
}
