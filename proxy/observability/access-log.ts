import type { Logger } from "pino"
import type { Observe } from "../http/event-context.ts"

/**
 * Logs one line per request, with the route instead of the path, because clients may put secrets into paths, and with
 * the key's id, which is public.
 */
export function createAccessLog(logger: Logger): Observe {
  return ({ route, method, status, duration, isCut, keyId, denial, address }) =>
    logger.info(
      {
        method,
        route,
        status,
        key: keyId,
        denial,
        address,
        milliseconds: Math.round(duration * 1000) / 1000,
        ...(isCut && { cut: true }),
      },
      "request",
    )
}
