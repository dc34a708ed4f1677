import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Observe } from "../http/event-context.ts"
import { listen } from "../http/listen.ts"
import { formatHealth } from "./health.ts"
import { createMetrics, type Metrics, type MetricsParts } from "./metrics.ts"

/** A running server for operators on this machine. */
export interface Admin {
  readonly port: number
  /** Counts a request. */
  readonly observe: Observe
  /** Counts an event. */
  readonly observeEvent: Metrics["observeEvent"]
  /** Counts a stream that was refused for lack of room. */
  readonly observeRefusal: Metrics["observeRefusal"]
  /** Closes all connections. */
  stop(): Promise<void>
}

export interface AdminParts extends MetricsParts {
  readonly onFailure: (error: unknown) => void
}

/**
 * Serves `/metrics` for Prometheus and `/health` as JSON. Port 0 takes any free one; rejects with an error that says
 * what to fix.
 */
export async function startAdmin(host: string, port: number, parts: AdminParts): Promise<Admin> {
  const metrics = createMetrics(parts)
  const server = createAdminServer(metrics, parts)
  const chosen = await listen(server, host, port, "--admin-")
  return {
    port: chosen,
    observe: metrics.observe,
    observeEvent: metrics.observeEvent,
    observeRefusal: metrics.observeRefusal,
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function createAdminServer(metrics: Metrics, parts: AdminParts): Server {
  async function answer({ url, method }: IncomingMessage): Promise<AdminAnswer> {
    const path = url?.split("?", 1)[0]
    if (method !== "GET" && method !== "HEAD") return errorAnswer(405, "Method not allowed")
    if (path === "/metrics")
      return { status: 200, contentType: metrics.contentType, body: await metrics.format() }
    if (path === "/health") return { status: 200, contentType: json, body: formatHealth(parts) }
    return errorAnswer(404, "Not found")
  }

  return createServer(limits, (req, res) => {
    answer(req)
      .catch((error) => {
        parts.onFailure(error)
        return errorAnswer(500, "Internal server error")
      })
      .then((answered) => send(req, res, answered))
  })
}

interface AdminAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

function send(
  { method }: IncomingMessage,
  res: ServerResponse,
  { status, contentType, body }: AdminAnswer,
): void {
  res.writeHead(status, { "content-type": contentType, "cache-control": "no-store" })
  res.end(method === "HEAD" ? undefined : body)
}

function errorAnswer(status: number, error: string): AdminAnswer {
  return { status, contentType: json, body: JSON.stringify({ error }) }
}

const json = "application/json"

/** Milliseconds. */
const limits = { headersTimeout: 10_000, requestTimeout: 30_000 }
