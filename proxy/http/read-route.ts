import type { H3, H3Event, RouteOptions } from "h3"
import { respondError } from "./respond.ts"

/** Answers a request for a route. */
export type Handler = (event: H3Event) => Response | Promise<Response>

/** Registers a route for `GET` and `HEAD`. All other methods get a 405, where h3 would answer 404. */
export function addReadRoute(app: H3, path: string, handler: Handler, options: RouteOptions): void {
  app.get(path, handler, options).head(path, handler, options).all(path, refuseMethod, options)
}

/** 405 for a route that is only read. */
export function refuseMethod(event: H3Event): Response {
  return respondError(event, "methodNotAllowed")
}
