import { H3, type H3Event, type Middleware } from "h3"
import { eventsPath, flagsPath } from "../sdk/contract/paths.ts"
import { allowedMethods, livezPath, readyzPath } from "./contract/http.ts"
import { documentEvents, type Events } from "./events/events.ts"
import { answerFlags, type FlagsRouteParts, type Respond } from "./flags-route.ts"
import type { AllowedByCors, Cors } from "./http/cors.ts"
import { decodeKey } from "./http/decode-key.ts"
import type { Route } from "./http/event-context.ts"
import { addReadRoute, type Handler, refuseMethod } from "./http/read-route.ts"
import { type Page, respondError, respondHealth, respondPage, respondPreflight } from "./http/respond.ts"
import { encodedKey } from "./http/target.ts"
import type { Ofrep } from "./ofrep/ofrep.ts"
import { streamBuckets } from "./rate-limit/stream-buckets.ts"

/** What the routes need. */
export interface AppParts extends FlagsRouteParts {
  readonly cors: Cors
  /** Runs before everything else. */
  readonly middleware?: readonly Middleware[] | undefined
  /** Evaluation over HTTP; `undefined`: its paths are not routes. */
  readonly ofrep?: Ofrep | undefined
  /** Streams of events; `undefined`: their paths are not routes. */
  readonly events?: Events | undefined
  /** Whether a load balancer should send requests here. */
  readonly isReady: () => boolean
  /** The page for a path that is not a route, if there is one. */
  readonly pageFor?: ((event: H3Event) => Page | undefined | Promise<Page | undefined>) | undefined
  /** Called with an unexpected error before the client gets a 500. */
  readonly onFailure: (error: unknown) => void
}

/**
 * The proxy as an h3 app. Each route has a prepared answer for all other methods, and `/**` for all other paths: what h3
 * answers by itself, 404 and 400, has a body of its own and costs three times as much.
 */
export function createApp(parts: AppParts): H3 {
  const { cors, events, ofrep } = parts
  const app = new H3({
    silent: true,
    allowMalformedURL: true,
    onError({ cause }, event) {
      parts.onFailure(cause)
      return ofrep?.respondFailure(event) ?? respondError(event, "internal")
    },
  })
  for (const middleware of parts.middleware ?? []) app.use(middleware)

  /** A route that needs a key, and that pages may read. */
  const flags = (path: string, route: Route, handler: Handler): void => {
    const options = { meta: { route }, middleware: cors.middleware }
    addReadRoute(app, path, handler, options)
    app.options(path, (event) => respondPreflight(event, cors, allowed) ?? refuseMethod(event), options)
  }
  flags(flagsPath, flagsPath, (event) => answerFlags(event, ({ list }) => list, parts))
  flags(`${flagsPath}/**:key`, `${flagsPath}/{key}`, (event) => {
    const key = decodeKey(encodedKey(event, flagsPath))
    return answerFlags(event, (snapshot) => (key === undefined ? undefined : snapshot.flag(key)), parts)
  })
  if (events !== undefined) {
    const respond: Respond = (event, _, allowance, record) =>
      events.answer(event, allowance, record, documentEvents)
    const streamParts = { ...parts, keyLimits: streamBuckets(parts.keyLimits) }
    flags(eventsPath, eventsPath, (event) => answerFlags(event, ({ list }) => list, streamParts, respond))
  }
  ofrep?.register(app)

  addLivez(app)
  addReadRoute(app, readyzPath, (event) => respondHealth(event, parts.isReady()), {
    meta: { route: readyzPath },
  })

  app.all("/**", (event) => {
    const page = parts.pageFor?.(event)
    return page instanceof Promise ? page.then((made) => answerPage(event, made)) : answerPage(event, page)
  })
  return app
}

/** Answers until the proxy has something to serve: it is alive, and not ready. */
export function createLoadingApp(): H3 {
  const app = new H3({ silent: true, allowMalformedURL: true })
  addLivez(app)
  app.all("/**", (event) => respondError(event, "unavailable"))
  return app
}

function addLivez(app: H3): void {
  addReadRoute(app, livezPath, (event) => respondHealth(event, true), { meta: { route: livezPath } })
}

function answerPage(event: H3Event, page: Page | undefined): Response {
  if (page === undefined) return respondError(event, "notFound")
  return ["GET", "HEAD"].includes(event.req.method) ? respondPage(event, page) : refuseMethod(event)
}

const allowed: AllowedByCors = {
  methods: allowedMethods,
  headers: "Authorization, If-None-Match, Last-Event-ID",
}
