import type { Logger } from "pino"
import type { Cors } from "../http/cors.ts"
import { addEvaluateRoutes, respondFailure } from "./evaluate-paths.ts"
import type { Ofrep } from "./ofrep.ts"
import { respondError } from "./respond.ts"

/**
 * Refuses to evaluate. The status is not 404, which clients take for a missing flag: the application would silently
 * get its own defaults. The first request is logged.
 */
export function withoutOfrep(cors: Cors, logger: Logger): Ofrep {
  let isLogged = false
  return {
    register(app) {
      addEvaluateRoutes(app, cors, (request) => {
        const route = request.event.context.matchedRoute?.meta?.route
        if (!isLogged) logger.warn({ route }, "a client wants flags evaluated: start this proxy with --ofrep")
        isLogged = true
        return respondError(request, "notImplemented", [], "GENERAL", reason)
      })
    },
    respondFailure,
  }
}

const reason = "This proxy was started without --ofrep, so it does not evaluate flags."
